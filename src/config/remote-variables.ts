type Variables = Record<string, string | undefined>;

/** What the environment says about stores. Holds keys: never to be logged. */
export type RemoteVariables = {
  /** For the user's own git: all as it is, but it never asks. */
  git: Variables;
  /** For CI jobs and containers, where no archive keeps one. */
  hubToken: string | undefined;
  s3: {
    accessKeyId: string | undefined;
    secretAccessKey: string | undefined;
    sessionToken: string | undefined;
    region: string | undefined;
    endpoint: string | undefined;
  };
};

export function remoteVariables(vars: Variables = process.env): RemoteVariables {
  return {
    git: {
      ...vars,
      GIT_TERMINAL_PROMPT: '0',
      GIT_SSH_COMMAND: vars.GIT_SSH_COMMAND || 'ssh -o BatchMode=yes',
    },
    hubToken: vars.KEEPSAKE_HUB_TOKEN || undefined,
    s3: {
      accessKeyId: vars.AWS_ACCESS_KEY_ID || undefined,
      secretAccessKey: vars.AWS_SECRET_ACCESS_KEY || undefined,
      sessionToken: vars.AWS_SESSION_TOKEN || undefined,
      region: vars.AWS_REGION || vars.AWS_DEFAULT_REGION || undefined,
      endpoint: vars.AWS_ENDPOINT_URL_S3 || vars.AWS_ENDPOINT_URL || undefined,
    },
  };
}
