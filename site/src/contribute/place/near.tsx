import type { Waypoint } from '@openfountain/core'
import { distanceMetres } from '@openfountain/core/geodesy'
import { useEffect, useState } from 'preact/hooks'
import { noFilter } from '../../map/list/filter.ts'
import type { Position } from '../../map/page/position.ts'
import { fill } from '../../messages.ts'
import type { Nameable } from '../../naming.ts'
import { Button } from '../../ui/button.tsx'
import { readQuickly, type Setting } from '../setting.ts'

/** An existing fountain that may be a duplicate of the new one. */
interface Candidate extends Position {
  readonly id: number
  readonly name: string
  readonly metres: number
}

/** The server's radius for duplicates. */
const reachMetres = 30

/** The existing fountains at a position, best first: from the server, or from the map's data offline. */
async function candidatesAt({ page, map }: Setting, position: Position): Promise<readonly Candidate[]> {
  type Found = Nameable & Pick<Waypoint, 'id' | 'latitude' | 'longitude'>
  const candidateOf = (fountain: Found, metres: number): Candidate => {
    const { id, latitude, longitude } = fountain
    return { id, name: page.title(fountain), metres, latitude, longitude }
  }
  const { latitude, longitude } = position
  const query = new URLSearchParams({ lat: String(latitude), lng: String(longitude), name: '' })
  try {
    const { body } = await readQuickly<{
      candidates: readonly { readonly waypoint: Waypoint; readonly metres: number }[]
    }>(`/waypoints/near-duplicates?${query.toString()}`)
    return body.candidates.map(({ waypoint, metres }) => candidateOf(waypoint, metres))
  } catch {
    const near = await map?.cells.nearest(position, 3, noFilter).catch(() => undefined)
    return (near?.found ?? [])
      .map(({ fountain }) => candidateOf(fountain, distanceMetres(position, fountain)))
      .filter(({ metres }) => metres <= reachMetres)
  }
}

/** The last answer, which the form shows again. */
let last: { readonly position: Position; readonly found: Promise<readonly Candidate[]> } | undefined

interface CandidatesProps {
  readonly setting: Setting
  readonly at: Position | undefined
  leave(): void
  edit(candidate: Candidate): void
}

/** A list of possible duplicates; it stays in the page, so that it is announced. */
export function Candidates({ setting, at, leave, edit }: CandidatesProps) {
  const [found, setFound] = useState<readonly Candidate[]>([])
  useEffect(() => {
    if (!at) return undefined
    let isCurrent = true
    if (last?.position !== at) last = { position: at, found: candidatesAt(setting, at) }
    void last.found.then((candidates) => isCurrent && setFound(candidates.slice(0, 3)))
    return () => {
      isCurrent = false
    }
  }, [at])
  const { page, words } = setting
  const { openIt, editIt, isItThis, away } = words.contribute
  const open = (one: Candidate): void => void setting.map?.openAt(one)
  // One of the visitor's that is not sent yet can be opened alone.
  const actionsOf = ({ id }: Candidate) =>
    [[openIt, open] as const, [editIt, edit] as const].slice(0, id < 0 ? 1 : 2)
  return (
    <div class="stack-2 notice tag-warm contribute-near" role="status">
      {found.length > 0 && (
        <>
          <p class="contribute-near-title">{isItThis}</p>
          <ul class="stack-2">
            {found.map((one) => (
              <li key={one.id} class="split">
                <span class="stack-0">
                  <bdi>{one.name}</bdi>
                  <span class="faint">{fill(away, { distance: page.nearDistance(one.metres) })}</span>
                </span>
                <span class="actions">
                  {actionsOf(one).map(([label, act]) => (
                    <Button
                      key={label}
                      kind="quiet"
                      isSmall
                      text={label}
                      label={page.text('site.labelled', { label, text: one.name })}
                      onPress={() => {
                        leave()
                        act(one)
                      }}
                    />
                  ))}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
