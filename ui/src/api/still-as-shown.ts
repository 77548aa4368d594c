import { type Answer, type Options, type RouteName, readApi } from './call-api.ts';
import { ApiProblem } from './problem.ts';

/** Reads a thing of a list right before it is changed: a tag to change it by, if it is as the page shows it. */
export async function stillAsShown<R extends RouteName>(
  route: R,
  options: Options<R>[0],
  isShown: (now: Answer<R>) => boolean,
): Promise<string | undefined> {
  const { data, tag } = await readApi(route, ...([options] as Options<R>));
  if (isShown(data)) return tag;
  throw new ApiProblem({ code: 'changed-meanwhile', detail: 'Someone changed it since you read it.' });
}
