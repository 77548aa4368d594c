import type { z } from 'zod';
import type { ROUTE_GROUPS } from './groups.ts';
import type { ParamsOf, Route } from './route.ts';

type AnyRoute = (typeof ROUTE_GROUPS)[number]['routes'][number];
type Parts<R> = R extends Route<infer M, infer P, infer Q, infer B, infer A> ? [M, P, Q, B, A] : never;
type Entry<R> =
  Parts<R> extends [infer _, infer P extends string, infer Q, infer B, infer A]
    ? {
        params: Record<ParamsOf<P>, string>;
        query: Q extends z.ZodType ? z.input<Q> : undefined;
        body: B extends z.ZodType ? z.input<B> : undefined;
        answer: A extends z.ZodType ? z.output<A> : never;
      }
    : never;

/** For a typed client: `Api['get /api/memory/projects']['answer']`. Types only. */
export type Api = {
  [R in AnyRoute as `${R['method']} ${R['path']}`]: Entry<R>;
};
