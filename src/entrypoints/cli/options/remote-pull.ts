import type { AddRemoteRequest } from '../../../app/remote/add-remote.ts';
import { Fault } from '../../../core/model/fault.ts';

export type PullOptions = {
  onlyShared?: boolean;
  onlyHere?: boolean;
  allProjects?: boolean;
  light?: boolean;
};

/** Which projects a machine receives; undefined is the default. A light machine holds what it works with. */
export function pullOf({ onlyShared, onlyHere, allProjects, light }: PullOptions): AddRemoteRequest['pull'] {
  if ([onlyShared, onlyHere, allProjects].filter(Boolean).length > 1)
    throw new Fault('usage', 'Only one of --only-shared, --only-here and --all-projects can be used.', {
      hint: '--only-here receives the projects that you work on here, shared or not.',
    });
  if (onlyShared) return 'shared';
  if (allProjects) return 'all';
  return onlyHere || light ? 'here' : undefined;
}
