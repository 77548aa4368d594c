import { type SecretSpan, START } from './secret-span.ts';

/** Tokens with a prefix of their own, by vendor: four characters near its beginning, and the shape. */
const VENDORS: readonly (readonly [name: string, anchor: string, shape: string])[] = [
  ['hashicorp vault', 'hv[sb].', 'hv[sb]\\.[A-Za-z0-9_-]{24,200}'],
  ['databricks', 'dapi', 'dapi[a-f0-9]{32}(?![A-Za-z0-9])'],
  ['linear', 'n_ap', 'lin_api_[A-Za-z0-9]{32,64}'],
  ['notion', 'ntn_', 'ntn_[A-Za-z0-9]{40,60}'],
  ['supabase', 'sbp_', 'sbp_[a-f0-9]{40}'],
  ['figma', 'figd', 'figd_[A-Za-z0-9_-]{40,60}'],
  ['postman', 'PMAK', 'PMAK-[a-f0-9]{24}-[a-f0-9]{34}'],
  ['groq', 'gsk_', 'gsk_[A-Za-z0-9]{40,64}'],
  ['perplexity', 'plx-', 'pplx-[A-Za-z0-9]{40,64}'],
  ['docker', 'ckr_', 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,40}'],
  ['rubygems', 'ruby', 'rubygems_[a-f0-9]{48}'],
  ['stripe webhook', 'sec_', 'whsec_[A-Za-z0-9+/=]{24,255}'],
  ['age', 'AGE-', 'AGE-SECRET-KEY-1[A-Z0-9]{58}'],
  ['grafana', 'glsa', 'glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}'],
  ['new relic', 'NRAK', 'NRAK-[A-Z0-9]{27}'],
  ['atlassian', 'ATAT', 'ATATT3[A-Za-z0-9_=-]{100,250}'],
  ['doppler', 'dp.[cps]', 'dp\\.(?:ct|pt|st|sa)\\.(?:[a-z0-9_]{2,35}\\.)?[A-Za-z0-9]{40,44}'],
];

export const VENDOR_ANCHORS: readonly string[] = VENDORS.map(([, anchor]) => anchor);
const TOKEN = new RegExp(`${START}(?:${VENDORS.map(([, , shape]) => shape).join('|')})`, 'y');
/** How far into a token its anchor may be: a common beginning makes a poor one. */
const BACK = [0, 1, 2];

export function findVendorToken(text: string, at: number): SecretSpan[] {
  for (const back of BACK) {
    if (at < back) break;
    TOKEN.lastIndex = at - back;
    if (TOKEN.test(text)) return [{ start: at - back, end: TOKEN.lastIndex, kind: 'api-token' }];
  }
  return [];
}
