//! Theme, before the first paint: a classic script, since modules run too late for that.
try {
  const { theme } = JSON.parse(localStorage.getItem('toolkit') ?? '{}');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A storage that is forbidden or damaged: the system's theme.
}
