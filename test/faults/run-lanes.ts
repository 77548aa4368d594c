import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Runs a script of this folder in several processes; each gets its lane and the number of lanes as its last arguments. */
export function runLanes<Report>(script: string, args: number[], lanes: number): Promise<Report[]> {
  const one = (lane: number) => inLane<Report>(script, [...args, lane, lanes].map(String));
  return Promise.all(Array.from({ length: lanes }, (_, lane) => one(lane)));
}

function inLane<Report>(script: string, args: string[]): Promise<Report> {
  const here = (name: string) => join(import.meta.dirname, name);
  const child = spawn(process.execPath, ['--import', here('watched-files.ts'), here(script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) =>
      status === 0
        ? resolve(JSON.parse(output.trim().split('\n').at(-1)!) as Report)
        : reject(new Error(`${script} ended with ${status}: ${output}`)),
    );
  });
}

/** The default number of lanes. */
export const LANES = Number(process.env.FAULT_LANES ?? 2);
