import { shallowRef } from 'vue';

export type ColorTheme = 'system' | 'light' | 'dark';

const NAME = 'keepsake-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

export const theme = shallowRef<ColorTheme>(stored());

function stored(): ColorTheme {
  const text = localStorage.getItem(NAME);
  return text === 'light' || text === 'dark' ? text : 'system';
}

export function setTheme(next: ColorTheme): void {
  theme.value = next;
  localStorage.setItem(NAME, next);
  show();
}

function show(): void {
  const dark = theme.value === 'dark' || (theme.value === 'system' && system.matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}

/** Puts the theme on the page and follows the system's. */
export function startTheme(): void {
  show();
  system.addEventListener('change', show);
}
