import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type { Registry } from '@openfountain/core'
import { createApp } from '@openfountain/server'

/** What a release wrote: a database, an export of it in base64 by name, the head of its log, and what an API answered. */
export interface Release {
  readonly database: string
  readonly files: Readonly<Record<string, string>>
  readonly head: { readonly id: number; readonly hash: string }
  readonly answers: Readonly<Record<string, unknown>>
}

export const fileOf = (of: string): URL => new URL(`../../data/release-${of}.json.gz`, import.meta.url)

export const releaseOf = async (of: string): Promise<Release> =>
  JSON.parse(gunzipSync(await readFile(fileOf(of))).toString()) as Release

const asked =
  'waypoints?limit=100 waypoints/1 waypoints/1/photos logs?limit=100 logs/head changes?limit=1000 stats user/leaderboard boundingboxes users/person-1'

export async function answersOf(registry: Registry): Promise<Record<string, unknown>> {
  const app = createApp(registry)
  const found: Record<string, unknown> = {}
  for (const each of asked.split(' '))
    found[each] = await (await app.fetch(new Request(`http://fountains.test/api/${each}`))).json()
  return found
}
