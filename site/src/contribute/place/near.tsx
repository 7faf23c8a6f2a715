import type { Waypoint } from '@openfountain/core'
import { distanceMetres } from '@openfountain/core/geodesy'
import { useEffect, useState } from 'preact/hooks'
import { kinds } from '../../kinds.ts'
import { noFilter } from '../../map/list/filter.ts'
import type { Position } from '../../map/page/position.ts'
import { fill } from '../../messages.ts'
import { shownName, type Nameable } from '../../naming.ts'
import { Button } from '../../ui/button.tsx'
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
  setting: Setting,
  fountain: Nameable & Pick<Waypoint, 'id' | 'latitude' | 'longitude'>,
  metres: number,
): Candidate {
  const { id, latitude, longitude } = fountain
  return { id, name: titleOf(setting, fountain), metres, position: { latitude, longitude } }
}

/** The title of a fountain: its name, or its label in the language of the page. */
export const titleOf = (setting: Setting, fountain: Nameable): string =>
  shownName(fountain, kinds, { unnamed: setting.words.unnamed, amenity: (key) => setting.amenity(key) })

/** The existing fountains at a position, best first: from the server, or from the map's data offline. */
export async function candidatesAt(setting: Setting, position: Position): Promise<readonly Candidate[]> {
  const { latitude, longitude } = position
  const query = new URLSearchParams({ lat: String(latitude), lng: String(longitude), name: '' })
  try {
    const { body } = await readQuickly<{
      candidates: readonly { readonly waypoint: Waypoint; readonly metres: number }[]
    }>(`/waypoints/near-duplicates?${query.toString()}`)
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

/** The same after what shows them is closed. */
export const closing = ({ open, edit }: CandidateActions, close: () => void): CandidateActions => ({
  open: (one) => (close(), open(one)),
  edit: (one) => (close(), edit(one)),
})

interface CandidatesProps {
  readonly setting: Setting
  readonly actions: CandidateActions
  readonly of: Promise<readonly Candidate[]>
}

/** A list of possible duplicates; it stays in the page, so that it is announced. */
export function Candidates({ setting, actions, of }: CandidatesProps) {
  const [found, setFound] = useState<readonly Candidate[]>([])
  useEffect(() => {
    let isCurrent = true
    void of.then((candidates) => isCurrent && setFound(candidates.slice(0, 3)))
    return () => {
      isCurrent = false
    }
  }, [of])
  const { contribute, labelled } = setting.words
  const button = (label: string, name: string, press: () => void) => (
    <Button kind="quiet" isSmall text={label} label={fill(labelled, { label, text: name })} onPress={press} />
  )
  return (
    <div class="contribute-near" role="status">
      {found.length > 0 && (
        <>
          <p class="contribute-near-title">{contribute.isItThis}</p>
          <ul class="stack-2">
            {found.map((one) => (
              <li key={one.id} class="split">
                <span class="stack-0">
                  <bdi>{one.name}</bdi>
                  <span class="faint">
                    {fill(contribute.away, { distance: setting.distance(one.metres) })}
                  </span>
                </span>
                <span class="actions">
                  {button(contribute.openIt, one.name, () => actions.open(one))}
                  {button(contribute.editIt, one.name, () => actions.edit(one))}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
