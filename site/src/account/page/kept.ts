import type { Waypoint } from '@openfountain/core'
import type { KeptReport } from '@openfountain/core/internal'
import type { Status } from '@openfountain/core/status'
import { pages } from '@openfountain/core/rules'
import type { send } from '../../api/once.ts'
import type { request } from '../../api/request.ts'
import type { Row } from '../../explore/data.ts'
import type { Messages } from '../../messages.ts'
import type { Page } from '../../views/page.ts'
import { valueText } from '../../views/value.ts'

export interface Kept {
  readonly waypoint: Waypoint
  readonly status: Status
  readonly reports: readonly KeptReport[]
  readonly photos: readonly {
    readonly id: number
    readonly alt?: string
    readonly urls: { readonly small: string; readonly large: string }
  }[]
}

/** All fountains of the keeper who is signed in, or those with faults. @throws Refusal */
export async function keptBy(ask: typeof request, isFaulty: boolean): Promise<readonly Kept[]> {
  const all: Kept[] = []
  for (let after = 0; ;) {
    const query = new URLSearchParams({ limit: String(pages.queue.max), after: String(after) })
    if (isFaulty) query.set('faults', 'true')
    const { fountains } = await ask<{ fountains: readonly Kept[] }>('GET', `/user/fountains?${query}`)
    all.push(...fountains)
    after = fountains.at(-1)?.waypoint.id ?? after
    if (fountains.length < pages.queue.max) return all
  }
}

/** The texts of a fountain by the titles of their columns: a row of the table, and of its file. */
export function keptRow(
  { waypoint, status, reports, photos }: Kept,
  { page, text, reasons }: Readable,
): Readonly<Record<keyof Messages['keeping']['columns'], string>> {
  const { state, since } = status
  return {
    name: page.title(waypoint),
    state: text.states[state],
    since: since === undefined ? '' : page.format.date(since),
    season: valueText(page, 'season', waypoint.season, ''),
    reports: reports
      .map(({ reason, comment }) => [reasons[reason], comment].filter(Boolean).join(': '))
      .join('\n'),
    photos: photos.map(({ urls }) => urls.large).join('\n'),
  }
}

export interface Readable {
  readonly page: Page
  readonly text: Messages['keeping'] & { readonly states: Messages['explore']['states'] }
  readonly reasons: Messages['contribute']['reason']
}

export const fileRows = (kept: readonly Kept[], readable: Readable): readonly Row[] =>
  kept.map((each) => {
    const { id, latitude, longitude } = each.waypoint
    const titled = Object.entries(keptRow(each, readable)).map(([column, value]) => [
      readable.text.columns[column as keyof Messages['keeping']['columns']],
      value,
    ])
    return { id, ...Object.fromEntries(titled), latitude, longitude }
  })

export const keeperActs = ['works', 'off', 'gone', 'season'] as const
export type KeeperAct = (typeof keeperActs)[number]

export interface Said {
  readonly act: KeeperAct
  readonly ids: readonly number[]
  readonly until: string
  readonly season: string | null
  readonly comment: string
}

/** Says it of fountains, in their order. @param done is told of each @throws Refusal, and leaves the rest */
export async function sayOf(
  { act, ids, until, season, comment }: Said,
  write: typeof send,
  done: (id: number) => void,
): Promise<void> {
  if (act === 'season') {
    await write('POST', '/waypoints/season', { ids, season, reason: comment })
    return ids.forEach(done)
  }
  const said = act === 'off' ? { kind: 'dry', until } : { kind: act }
  for (const bubblerId of ids) {
    await write('POST', '/observations', { bubblerId, ...said, ...(comment !== '' && { comment }) })
    done(bubblerId)
  }
}
