import type { Waypoint } from '@openfountain/core'
import { distanceMetres } from '@openfountain/core/geodesy'
import { kinds } from '../../kinds.ts'
import { element } from '../../map/card/markup.ts'
import { noFilter } from '../../map/list/filter.ts'
import type { Position } from '../../map/page/position.ts'
import { fill } from '../../messages.ts'
import { shownName, type Nameable } from '../../naming.ts'
import { readQuickly, type Setting } from '../setting.ts'

/** An existing fountain that may be a duplicate of the new one. */
export interface Candidate {
  readonly id: number
  readonly name: string
  readonly metres: number
  readonly position: Position
}

/** The server's radius for duplicates. */
const reachMetres = 30

function candidateOf(
  { words: { amenity, unnamed } }: Setting,
  fountain: Nameable & Pick<Waypoint, 'id' | 'latitude' | 'longitude'>,
  metres: number,
): Candidate {
  const { id, latitude, longitude } = fountain
  const amenities: Readonly<Record<string, string>> = amenity
  const name = shownName(fountain, kinds, { unnamed, amenity: (key) => amenities[key] ?? key })
  return { id, name, metres, position: { latitude, longitude } }
}

/** The existing fountains at a position, best first: from the server, or from the map's data offline. */
export async function candidatesAt(setting: Setting, position: Position): Promise<readonly Candidate[]> {
  const { latitude, longitude } = position
  try {
    const { body } = await readQuickly<{
      candidates: readonly { readonly waypoint: Waypoint; readonly metres: number }[]
    }>(
      `/waypoints/near-duplicates?${new URLSearchParams({ lat: String(latitude), lng: String(longitude), name: '' }).toString()}`,
    )
    return body.candidates.map(({ waypoint, metres }) => candidateOf(setting, waypoint, metres))
  } catch {
    return nearOnMap(setting, position)
  }
}

async function nearOnMap(setting: Setting, position: Position): Promise<readonly Candidate[]> {
  try {
    const { found } = (await setting.map?.cells.nearest(position, 3, noFilter)) ?? { found: [] }
    return found
      .map(({ fountain }) => candidateOf(setting, fountain, distanceMetres(position, fountain)))
      .filter(({ metres }) => metres <= reachMetres)
  } catch {
    return []
  }
}

export interface CandidateActions {
  open(candidate: Candidate): void
  edit(candidate: Candidate): void
}

/** A list of possible duplicates; it stays in the page, so that it is announced. */
export class CandidateList {
  readonly root = element('div', { class: 'contribute-near', role: 'status' })
  readonly #setting: Setting
  readonly #actions: CandidateActions

  constructor(setting: Setting, actions: CandidateActions) {
    this.#setting = setting
    this.#actions = actions
  }

  show(candidates: readonly Candidate[]): void {
    const { contribute } = this.#setting.words
    if (candidates.length === 0) return this.root.replaceChildren()
    const button = (label: string, name: string, pressed: () => void) => {
      const made = element(
        'button',
        {
          type: 'button',
          class: 'button button-quiet button-small',
          'aria-label': fill(this.#setting.words.labelled, { label, text: name }),
        },
        label,
      )
      made.addEventListener('click', pressed)
      return made
    }
    this.root.replaceChildren(
      element('p', { class: 'contribute-near-title' }, contribute.isItThis),
      element(
        'ul',
        {},
        ...candidates.slice(0, 3).map((candidate) =>
          element(
            'li',
            {},
            element(
              'span',
              { class: 'contribute-near-name' },
              element('bdi', {}, candidate.name),
              element(
                'span',
                { class: 'faint' },
                fill(contribute.away, { distance: this.#setting.distance(candidate.metres) }),
              ),
            ),
            element(
              'span',
              { class: 'actions' },
              button(contribute.openIt, candidate.name, () => this.#actions.open(candidate)),
              button(contribute.editIt, candidate.name, () => this.#actions.edit(candidate)),
            ),
          ),
        ),
      ),
    )
  }
}
