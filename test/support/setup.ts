// Modules of their own, so that a worker that keeps its modules does this once.
import './property-seed.js';
import './wait-timeout.js';
