import type { Waypoint } from '@openfountain/core'
import type { PersonWork, Work, WorkKind } from '@openfountain/core/internal'
import { useState } from 'preact/hooks'
import { fill } from '../../messages.ts'
import { Button } from '../../ui/button.tsx'
import { desk, format, fountainName, page, wordingOf, words } from './config.ts'
import { deskLink, named, personLink, quoted } from './parts.tsx'
import { photoFigure } from './photo-panel.tsx'
import { PlaceMap, type Spot } from './place-map.tsx'
import { Problem } from '../../ui/problem.tsx'
import { readWork } from './requests.ts'

const kinds: readonly WorkKind[] = ['waypoints', 'reviews', 'photos', 'observations', 'reports']

export type Works = Readonly<Record<WorkKind, Pick<PersonWork, 'items' | 'next'>>>

/** The first page of each kind of work. @throws Refusal */
export async function readWorks(id: string): Promise<Works> {
  const [waypoints, reviews, photos, observations, reports] = await Promise.all([
    readWork(id, 'waypoints'),
    readWork(id, 'reviews'),
    readWork(id, 'photos'),
    readWork(id, 'observations'),
    readWork(id, 'reports'),
  ])
  return { waypoints, reviews, photos, observations, reports }
}

export async function actOnMany(chosen: readonly Waypoint[], done?: () => void): Promise<void> {
  const [{ settingOfPage }, { openMany }] = await Promise.all([
    import('../../contribute/setting.ts'),
    import('../../many/panel.tsx'),
  ])
  openMany(await settingOfPage(), chosen, done)
}

/** All fountains that a person added. @throws Refusal */
async function fountainsOf(id: string): Promise<Waypoint[]> {
  const found: Waypoint[] = []
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: PersonWork = await readWork(id, 'waypoints', after)
    found.push(...page.items.flatMap(({ waypoint }) => waypoint ?? []))
    after = page.next
  }
  return found
}

export function PersonWorks({ id, first }: { readonly id: string; readonly first: Works }) {
  const [{ works, spots }, setWorks] = useState(() => shownOf(first))
  const [problem, setProblem] = useState('')
  const run = (work: () => Promise<void>) => () => {
    setProblem('')
    void work().catch((error: unknown) => setProblem(wordingOf(error)))
  }
  const more = async (kind: WorkKind): Promise<void> => {
    const { items, next } = await readWork(id, kind, works[kind].next)
    setWorks(shownOf({ ...works, [kind]: { items: [...works[kind].items, ...items], next } }))
  }
  return (
    <>
      {spots.length > 0 && <PlaceMap spots={spots} />}
      <Problem text={problem} />
      {kinds.map((kind) => {
        const { items, next } = works[kind]
        return (
          items.length > 0 && (
            <section key={kind} class="stack-3" data-work={kind}>
              <h3>{desk.work[kind]}</h3>
              <ul class="stack-1">
                {items.map((work, index) => (
                  <li key={index}>{workRow(work)}</li>
                ))}
              </ul>
              {next !== undefined && (
                <Button kind="quiet" isSmall text={desk.more} onPress={run(() => more(kind))} />
              )}
              {kind === 'waypoints' && (
                <Button
                  kind="quiet"
                  isSmall
                  id="all-of-person"
                  text={desk.work.all}
                  onPress={run(async () => actOnMany(await fountainsOf(id)))}
                />
              )}
            </section>
          )
        )
      })}
    </>
  )
}

function shownOf(works: Works): { readonly works: Works; readonly spots: readonly Spot[] } {
  const found = kinds.flatMap((kind) => works[kind].items.flatMap(({ waypoint }) => waypoint ?? []))
  const fountains = new Map(found.map((waypoint) => [waypoint.id, waypoint]))
  const spots = [...fountains.values()].map(({ latitude, longitude, verified }): Spot => {
    return { latitude, longitude, looks: verified && 'verified' }
  })
  return { works, spots }
}

function workRow({ waypointId, waypoint, review, photo, observation, report }: Work) {
  const at = report?.createdAt ?? review?.createdAt ?? photo?.createdAt ?? observation?.observedAt
  const facts = [
    waypoint && `#${waypoint.id}`,
    review && format.count(desk.rating, review.rating),
    observation && words.seen[observation.kind],
    photo && desk.photoState[photo.state],
    report && page.find(`desk.reportReason.${report.reason}`),
    at && format.date(at),
  ]
  return (
    <>
      {waypointId !== undefined &&
        deskLink(`waypoint/${waypointId}`, waypoint ? named(fountainName(waypoint)) : `#${waypointId}`)}
      {report?.userId !== undefined && personLink(report.userId, fill(desk.person, { id: report.userId }))}{' '}
      <span class="faint">{facts.filter(Boolean).join(' · ')}</span>
      {photo && photoFigure(photo)}
      {quoted(review?.comment ?? observation?.comment ?? report?.comment)}
    </>
  )
}
