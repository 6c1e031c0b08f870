-- Pictures of the hub are named relative to its address, so that they are found below any prefix.
UPDATE species SET image_url = substring(image_url FROM 'api/ui/detections/[0-9]+/crop$')
WHERE image_url ~ '^/.*api/ui/detections/[0-9]+/crop$';
UPDATE species SET image_url = ltrim(image_url, '/') WHERE starts_with(image_url, '/');
UPDATE bird_food SET image_url = ltrim(image_url, '/') WHERE starts_with(image_url, '/');
