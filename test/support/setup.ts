// Separate modules, so that they run only once in a worker that keeps its modules.
import './property-seed.js';
import './wait-timeout.js';
