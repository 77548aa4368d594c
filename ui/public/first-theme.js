// Before the first paint: the colors that were chosen, or the system's. `src/state/theme.ts` follows them from then on.
{
  const chosen = localStorage.getItem('keepsake-theme');
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}
