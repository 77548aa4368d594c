import { computed, type WritableComputedRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/** A value that is in the address, so that a link leads back to it. Empty: not there. With `step`, the browser's Back leads to where it was empty. */
export function useQuery(name: string, fallback = '', { step = false } = {}): WritableComputedRef<string> {
  const route = useRoute();
  const router = useRouter();
  return computed({
    get() {
      const value = route.query[name];
      return typeof value === 'string' ? value : fallback;
    },
    set(value) {
      const { [name]: _, ...others } = route.query;
      const query = value === fallback ? others : { ...others, [name]: value };
      const isStep = step && route.query[name] === undefined && value !== fallback;
      void router[isStep ? 'push' : 'replace']({ query, params: route.params });
    },
  });
}
