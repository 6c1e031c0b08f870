-- The attached runs of a species that have an instant in common with a span, as visits_near. They never overlap each other.
CREATE FUNCTION attached_runs_near(of_species integer, low timestamptz, high timestamptz) RETURNS SETOF attached_run
LANGUAGE sql STABLE ROWS 3 AS $$
  SELECT * FROM attached_run WHERE species_id = of_species AND start_time BETWEEN low AND high
  UNION ALL
  SELECT * FROM (
    SELECT * FROM attached_run WHERE species_id = of_species AND start_time < low ORDER BY start_time DESC LIMIT 1
  ) earlier WHERE end_time >= low
$$;
