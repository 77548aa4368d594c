import { callApi } from '../../api/call-api.ts';
import { notify, orReport } from '../../state/toasts.ts';

/** Makes `from` a part of `into`; `changed` is called then, and again after an undo. */
export async function joinProject(into: string, from: string, changed: () => Promise<void>): Promise<void> {
  await orReport(async () => {
    const params = { projectId: into };
    const joined = await callApi('post /api/memory/projects/{projectId}/join', {
      params,
      body: { project: from },
    });
    const undo = async () => {
      await callApi('post /api/memory/projects/{projectId}/split', { params: { projectId: from } });
      await changed();
    };
    notify(`${joined.displayName} has ${joined.folders.length} folders now.`, undo);
    await changed();
  });
}

/** Makes a folder a project of its own. */
export async function splitFolder(folder: string, changed: () => Promise<void>): Promise<void> {
  await orReport(async () => {
    const { split, from } = await callApi('post /api/memory/projects/{projectId}/split', {
      params: { projectId: folder },
    });
    const undo = async () => {
      await callApi('post /api/memory/projects/{projectId}/join', {
        params: { projectId: from.projectId },
        body: { project: split.projectId },
      });
      await changed();
    };
    notify(`${split.originalPath || split.displayName} is a project of its own now.`, undo);
    await changed();
  });
}
