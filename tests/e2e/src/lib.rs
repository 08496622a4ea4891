//! Starts both servers as a user would and looks at them from outside.
