import { describe, expect, test } from 'vitest';
import {
  browserCommand,
  editorCommand,
  editorDataFolder,
  foldersAbove,
  isWorthRetrying,
  platformOf,
} from './platform.ts';

const HOMES = { linux: '/home/ada', darwin: '/Users/ada', win32: 'C:\\Users\\ada' } as const;

describe.each(['linux', 'darwin', 'win32'] as const)('on %s', (name) => {
  const isWindows = name === 'win32';
  const home = HOMES[name];

  test('folders are synced and modes looked at where the system has them', () => {
    const { syncsFolders, hasModes, knowsPipes, claude, editor } = platformOf(name);
    expect([syncsFolders, hasModes, knowsPipes]).toEqual(Array(3).fill(!isWindows));
    expect([claude, editor]).toEqual(isWindows ? ['claude.exe', 'notepad'] : ['claude', 'vi']);
  });

  test('random bytes are read from a file only where it is no file of a drive', () => {
    expect(platformOf(name).randomFile).toBe(isWindows ? undefined : '/dev/urandom');
  });

  test('an address is opened by the program of the system, as one argument', () => {
    const command = browserCommand(name, 'http://127.0.0.1:1/?a=b&c=d');
    expect(command[0]).toBe({ linux: 'xdg-open', darwin: 'open', win32: 'rundll32' }[name]);
    expect(command.at(-1)).toBe('http://127.0.0.1:1/?a=b&c=d');
  });

  test('an editor with arguments gets a file with a blank in its name as one argument', () => {
    const { command, shell } = editorCommand(name, 'code --wait', `${home}/a b`);
    expect(shell).toBe(isWindows);
    expect(command).toEqual(
      isWindows ? [`code --wait "${home}/a b"`] : ['sh', '-c', 'code --wait "$1"', 'sh', `${home}/a b`],
    );
  });

  test('data of editors is where the system puts it, or where its variable says', () => {
    const usual = {
      linux: [home, '.config'],
      darwin: [home, 'Library', 'Application Support'],
      win32: [home, 'AppData', 'Roaming'],
    }[name];
    expect(editorDataFolder(name, home, {})).toEqual(usual);
    const named = editorDataFolder(name, home, { APPDATA: 'D:\\data', XDG_CONFIG_HOME: '/data' });
    expect(named).toEqual({ linux: ['/data'], darwin: usual, win32: ['D:\\data'] }[name]);
  });

  test('folders above one are found with the separators of the system', () => {
    expect(foldersAbove(isWindows ? 'C:\\Users\\ada\\app' : '/home/ada/app', 6)).toEqual(
      isWindows
        ? ['C:\\Users\\ada\\app', 'C:\\Users\\ada', 'C:\\Users']
        : ['/home/ada/app', '/home/ada', '/home'],
    );
    expect(foldersAbove(isWindows ? 'C:\\a\\b\\c' : '/a/b/c', 1)).toHaveLength(2);
  });

  test('a rename that another program disturbs is tried again only where that passes', () => {
    const platform = platformOf(name);
    for (const code of ['EPERM', 'EACCES', 'EBUSY']) expect(isWorthRetrying(platform, code)).toBe(isWindows);
    for (const code of ['ENOENT', 'ENOSPC', undefined]) expect(isWorthRetrying(platform, code)).toBe(false);
  });
});
