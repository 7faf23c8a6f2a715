import { fileURLToPath } from 'node:url'

/** The workspace's folder, with a slash at its end. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Folders of the published packages, dependencies first. */
export const packageFolders = [
  'packages/tlog',
  'packages/client',
  'packages/core',
  'packages/exchange',
  'packages/server',
  'packages/fastify',
  'packages/accounts',
  'packages/photos',
  'packages/telling',
  'packages/postgres',
  'site',
  'packages/cli',
] as const
