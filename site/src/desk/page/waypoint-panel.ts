import type { Waypoint } from '@openfountain/core'
import { distanceMetres } from '@openfountain/core/geodesy'
import { fill } from '../../messages.ts'
import { mergeWithAnother } from './compare.ts'
import { desk, distanceWords, format, onMap } from './config.ts'
import { element, link, named } from './element.ts'
import { fountainFacts, fountainHead, readFountain, type Fountain, type GoneFountain } from './fountain.ts'
import { HistoryList } from './history.ts'
import { fountainName } from './naming.ts'
import { panelOf, type Panel, type PanelAction, type Setting } from './panel.ts'
import { blockPerson, revertPerson, type PersonToRevert } from './person-actions.ts'
import { plan } from './plan.ts'
import { read } from './send.ts'
import { deleteWaypoint, restoreWaypoint, revertEntry, setFlag } from './waypoint-actions.ts'

/** The radius of the search for neighbours. */
const nearbyMetres = 500
const mostNearby = 6

export interface Nearby {
  readonly waypoint: Waypoint
  readonly metres: number
}

/** The nearest fountains, nearest first. @throws Refusal */
export async function readNearby(of: Waypoint): Promise<readonly Nearby[]> {
  const { latitude, longitude } = of
  const query = new URLSearchParams({
    near: `${latitude},${longitude}`,
    radius: String(nearbyMetres),
    limit: String(mostNearby + 1),
  })
  const { waypoints } = await read<{ waypoints: readonly Waypoint[] }>(`/waypoints?${query}`)
  return waypoints
    .filter(({ id }) => id !== of.id)
    .slice(0, mostNearby)
    .map((waypoint) => ({ waypoint, metres: distanceMetres(of, waypoint) }))
}

/** The list of the fountains on a plan, by their numbers there. */
export function nearbyList(nearby: readonly Nearby[]): HTMLElement | undefined {
  if (nearby.length === 0) return undefined
  const list = element('ol', 'nearby')
  for (const [index, { waypoint, metres }] of nearby.entries()) {
    const number = element('span', waypoint.verified ? 'dot dot-verified' : 'dot', String(index + 1))
    number.ariaHidden = 'true'
    const open = link(onMap(waypoint), named(fountainName(waypoint)))
    list.append(
      element('li', '', number, open, element('span', 'faint', `#${waypoint.id} · ${distanceWords(metres)}`)),
    )
  }
  return element('section', 'desk-part', element('h3', '', desk.nearby), list)
}

/** The reason for showing a fountain, and the person concerned. */
export interface Occasion {
  readonly why?: string
  /** Content above the fountain, such as reports. */
  readonly before?: readonly (Node | undefined)[]
  readonly person?: PersonToRevert | undefined
  readonly actions?: readonly PanelAction[]
}

/** A fountain with the moderator's actions. @throws Refusal */
export async function waypointPanel(id: number, setting: Setting, occasion: Occasion = {}): Promise<Panel> {
  const found = await readFountain(id)
  return 'waypoint' in found ? livePanel(found, setting, occasion) : gonePanel(found, setting, occasion)
}

async function livePanel(fountain: Fountain, setting: Setting, occasion: Occasion): Promise<Panel> {
  const { waypoint } = fountain
  const { why, before = [], person, actions = [] } = occasion
  const history = new HistoryList(waypoint.id, {
    revert: (entry) => void revertEntry(setting, entry, fountainName(waypoint)),
  })
  const [nearby] = await Promise.all([readNearby(waypoint), history.load()])
  const { approved, verified } = waypoint
  return panelOf(
    named(fountainName(waypoint)),
    [
      ...actions,
      {
        label: approved ? desk.unapprove : desk.approve,
        isMain: !approved && actions.length === 0,
        key: 'a',
        run: () => setFlag(setting, fountain, 'approved', !approved),
      },
      {
        label: verified ? desk.unverify : desk.verify,
        isMain: approved && !verified && actions.length === 0,
        key: 'v',
        run: () => setFlag(setting, fountain, 'verified', !verified),
      },
      {
        label: desk.revertEntry,
        key: 'r',
        run() {
          const entry = history.focused ?? history.newestBy(person?.id) ?? history.newest
          if (entry) void revertEntry(setting, entry, fountainName(waypoint))
        },
      },
      {
        label: desk.mergeWith,
        key: 'm',
        run: () => void mergeWithAnother(setting, waypoint, nearby),
      },
      { label: desk.delete, run: () => void deleteWaypoint(setting, fountain) },
      ...personActions(person, setting),
    ],
    why === undefined ? undefined : element('p', 'quiet', why),
    fountainHead(waypoint),
    ...before,
    element('div', 'desk-columns', fountainFacts(waypoint), placesOf(waypoint, nearby)),
    history.root,
  )
}

/** A fountain with its neighbours on a plan. */
export function placesOf(waypoint: Waypoint, nearby: readonly Nearby[]): HTMLElement {
  const drawing = plan(
    waypoint,
    nearby.map((near) => near.waypoint),
  )
  const list = nearbyList(nearby)
  return element('div', 'desk-places', drawing, ...(list ? [list] : []))
}

/** The acts on the person concerned. */
export function personActions(person: PersonToRevert | undefined, setting: Setting): readonly PanelAction[] {
  if (person === undefined || person.id === 'api') return []
  return [
    { label: desk.revertPerson, run: () => void revertPerson(setting, person) },
    { label: desk.block, key: 'b', run: () => void blockPerson(setting, person) },
  ]
}

async function gonePanel(
  { id, mergedInto }: GoneFountain,
  setting: Setting,
  { before = [], person, actions = [] }: Occasion,
): Promise<Panel> {
  const history = new HistoryList(id, { revert: (entry) => void revertEntry(setting, entry, undefined) })
  await history.load()
  const isKnown = history.newest !== undefined
  return panelOf(
    fill(desk.number, { id: format.number(id) }),
    isKnown
      ? [
          ...actions,
          { label: desk.restore, key: 'r', isMain: true, run: () => void restoreWaypoint(setting, id) },
          ...personActions(person, setting),
        ]
      : actions,
    element(
      'p',
      'notice',
      isKnown
        ? mergedInto === undefined
          ? desk.deleted
          : fill(desk.deletedMerged, { id: format.number(mergedInto) })
        : desk.findNothing,
    ),
    ...before,
    isKnown ? history.root : undefined,
  )
}
