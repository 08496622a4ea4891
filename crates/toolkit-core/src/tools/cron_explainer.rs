//! cron_explainer
