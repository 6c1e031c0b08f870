-- Discovery topics of cameras and sources at the MQTT broker, so that they are taken away with these.
CREATE TABLE home_assistant_topic (
  topic text PRIMARY KEY
);
