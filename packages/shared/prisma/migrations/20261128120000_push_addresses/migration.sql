-- The client address of a browser that subscribed without being unlocked, to limit how many one client can add.
ALTER TABLE push_subscription ADD COLUMN address text;
