import { computed, type WritableComputedRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/** A value that is in the address, so that a link leads back to it. Empty: not there. */
export function useQuery(name: string, fallback = ''): WritableComputedRef<string> {
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
      void router.replace({ query, params: route.params });
    },
  });
}
