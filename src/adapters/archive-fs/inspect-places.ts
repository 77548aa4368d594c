import type { ProjectId } from '../../core/model/ids.ts';
import type { Finding, MemoryPlace } from '../../ports/archive.ts';
import { listFiles } from './list-files.ts';
import { refuseLinks } from './memory-place.ts';
import { placedLeftovers } from './sweep.ts';

type Placed = { project: ProjectId; place: MemoryPlace };

/** Whether memory that should be in a project is there, and complete. */
export async function inspectPlaces(placed: Placed[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { project, place } of placed) {
    const subject = `projects/${project}`;
    const report = (level: Finding['level'], message: string, hint: string) =>
      findings.push({ level, subject, message, hint });
    if (place.asked === undefined) {
      if (place.trouble !== undefined)
        report(
          'error',
          `${place.trouble} The location of its rolling memory is unknown; Keepsake uses the folder in the archive.`,
          'If it is in the project, run keepsake init PATH to use it again; otherwise delete this file.',
        );
      continue;
    }
    const root = JSON.stringify(place.asked);
    if (place.trouble !== undefined) {
      const message = `Its rolling memory should be in the project, but ${place.trouble} Keepsake uses the folder in the archive instead.`;
      report(
        'warning',
        message,
        `keepsake init ${root} moves it to the project again; keepsake init --undo ${root} keeps it in the archive.`,
      );
    }
    if (place.unfinished !== undefined) {
      const undo = place.unfinished === 'out' ? ' --undo' : '';
      report(
        'warning',
        'Moving its rolling memory was interrupted.',
        `keepsake init${undo} ${root} finishes it.`,
      );
    }
    if (place.kind === 'archive') continue;
    for (const path of await placedLeftovers(place.folder))
      report(
        'warning',
        `${path} is left over from an interrupted write.`,
        'A sync deletes it when it is an hour old.',
      );
    for (const name of await listFiles(place.folder)) {
      try {
        refuseLinks(place.folder, name.split('/'));
      } catch {
        report(
          'error',
          `${place.folder}/${name} is a symlink, which Keepsake does not follow.`,
          'Replace it with a regular file.',
        );
      }
    }
  }
  return findings;
}
