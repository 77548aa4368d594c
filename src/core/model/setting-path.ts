const SETTING = /^[A-Za-z][A-Za-z0-9-]*(?:\.[A-Za-z][A-Za-z0-9-]*)*$/;

/** A place in the settings: plain names, so that none leads to a prototype. */
export function isSettingPath(key: string): boolean {
  return SETTING.test(key) && !/(?:^|\.)(?:constructor|prototype)(?:\.|$)/.test(key);
}
