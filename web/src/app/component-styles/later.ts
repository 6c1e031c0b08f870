import './later.css';
