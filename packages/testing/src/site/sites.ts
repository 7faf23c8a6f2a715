import { join } from 'node:path'
import { buildSite } from '../../../../site/src/index.ts'
import { onceARun } from '../once.ts'
import { exportSample } from './sample.ts'
import { hostFolder, type StaticHost } from './static-host.ts'
import { exportTown } from './town.ts'

export const base = '/water/'

const exports = {
  sample: (out: string) => exportSample({ out }),
  town: (out: string) => exportTown({}, out),
} as const

export const exportOf = async (data: keyof typeof exports): Promise<string> =>
  join(await onceARun(`export of the ${data}`, (folder) => exports[data](join(folder, 'export'))), 'export')

const sites = {
  sample: { data: 'sample', options: { base, title: 'Lindenau' } },
  'sample with API': { data: 'sample', options: { api: '/api' } },
  town: { data: 'town', options: { base, title: 'Lindenau' } },
  'town with API': { data: 'town', options: { api: '/api' } },
} as const

export type SiteName = keyof typeof sites

/** The read-only folder of a site in all languages, built once per run. */
export async function builtSite(name: SiteName): Promise<string> {
  const { data, options } = sites[name]
  const folder = await onceARun(`site of the ${name}`, async (making) =>
    buildSite({ ...options, data: await exportOf(data), out: join(making, 'site') }),
  )
  return join(folder, 'site')
}

const hosts = new Map<SiteName, Promise<StaticHost>>()

/** A plain web host of a site without an API, one per worker, closed with the worker. */
export function hostedSite(name: 'sample' | 'town'): Promise<StaticHost> {
  const host = hosts.get(name) ?? builtSite(name).then((folder) => hostFolder(folder, { base }))
  hosts.set(name, host)
  return host
}
