import { distanceMetres } from '@openfountain/core/geodesy'
import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { coverOf } from '../../map/page/covered.ts'
import { bearingDegrees, directionOf, wrapLongitude, type Position } from '../../map/page/position.ts'
import { fill } from '../../messages.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Form, textIn, wrongFields } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { placed } from '../../views/placed.ts'
import { placeName } from '../members.ts'
import type { Setting, Subject } from '../setting.ts'
import { parsePosition, positionText, roundedPosition } from './coordinates.ts'
import { Crosshair } from './crosshair.ts'
import { Candidates } from './near.tsx'
import { PlaceCard } from './place-card.tsx'

export interface PlacingOptions {
  readonly title: string
  /** Label of the button that takes the position. */
  readonly take: string
  /** The initial position; default where the visitor looked: the middle of the map. */
  readonly start?: Position | undefined
  readonly before?: Position
  /** Edits an existing fountain there; without it those are not shown. */
  edit?(subject: Subject): void
}

/** From this zoom on a finger is accurate to about ten metres. */
const exactZoom = 16
const closeZoom = 18
/** The server is asked after the map has rested for this time. */
const restMilliseconds = 350

/** Asks the user for a position. @returns undefined when they closed the dialog */
export async function choosePlace(setting: Setting, options: PlacingOptions): Promise<Position | undefined> {
  const { map } = setting
  const returnTo = document.activeElement
  // Before the card covers it.
  const lookedAt = map?.lookedAt
  const holder = document.createElement('div')
  map?.closeCard()
  document.documentElement.classList.add('contribute-placing')
  const taken = await new Promise<Position | undefined>((end) => {
    const card = placed(<PlacePicker setting={setting} lookedAt={lookedAt} end={end} {...options} />, holder)
    const stage = map?.container.closest('.main') ?? document.body
    stage.append(card)
    card.querySelector('h2')?.focus({ preventScroll: true })
  })
  render(null, holder)
  document.documentElement.classList.remove('contribute-placing')
  if (returnTo instanceof HTMLElement && returnTo.isConnected) returnTo.focus({ preventScroll: true })
  return taken
}

interface PickerProps extends PlacingOptions {
  readonly setting: Setting
  readonly lookedAt: Position | undefined
  end(position: Position | undefined): void
}

function PlacePicker({ setting, lookedAt, title, take, start, before, edit, end }: PickerProps) {
  const { map, page, words } = setting
  const { contribute } = words
  const root = useRef<HTMLElement>(null)
  const cross = useRef<Crosshair>()
  /** Whether the user typed or nudged the position; a late answer of the device then does not move it. */
  const isChosen = useRef(false)
  const [position, setPosition] = useState(before ?? start)
  /** A text in place of the hint, until the position changes. */
  const [note, setNote] = useState('')
  const [rested, setRested] = useState<Position>()

  const set = (to: Position): void => {
    setPosition(to)
    setNote('')
  }
  const choose = (to: Position, zoom?: number): void => {
    isChosen.current = true
    set(roundedPosition(to))
    cross.current?.go(to, zoom)
  }

  useEffect(() => {
    let isOver = false
    const keepClear = (): void => {
      if (map && root.current) cross.current?.keepClearOf(coverOf([root.current], map.container))
    }
    const sizes = new ResizeObserver(keepClear)
    if (root.current) sizes.observe(root.current)
    map?.withMap(({ map: engine, place }) => {
      if (isOver) return
      cross.current = new Crosshair(engine, set)
      keepClear()
      if (before) cross.current.mark('before', before)
      if (position) cross.current.go(position, Math.max(closeZoom, place.zoom))
      else choose(lookedAt ?? place)
    })
    return () => {
      isOver = true
      sizes.disconnect()
      cross.current?.end()
      cross.current = undefined
    }
  }, [])
  useEffect(() => {
    const rest = setTimeout(() => setRested(position), restMilliseconds)
    return () => clearTimeout(rest)
  }, [position])

  function locate(): void {
    if (!('geolocation' in navigator)) return setNote(words.map.locationFailed)
    setNote(words.map.locating)
    isChosen.current = false
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        if (isChosen.current) return
        const at = roundedPosition(coords)
        set(at)
        cross.current?.mark('accuracy', at, coords.accuracy)
        cross.current?.go(at, closeZoom)
        setNote(fill(contribute.accuracy, { distance: page.nearDistance(Math.max(1, coords.accuracy)) }))
      },
      ({ code, PERMISSION_DENIED }) =>
        setNote(code === PERMISSION_DENIED ? words.map.locationDenied : words.map.locationFailed),
      { enableHighAccuracy: true, timeout: 15_000, maximumAge: 5000 },
    )
  }
  function done(): void {
    if (!position) return setNote(contribute.problem.coordinates)
    const zoom = map?.map?.place.zoom
    // At a low zoom the position is not exact.
    if (zoom !== undefined && zoom < exactZoom && cross.current) {
      cross.current.go(position, closeZoom)
      return setNote(contribute.lookAgain)
    }
    end(position)
  }
  function hint(): string {
    if (!before || !position) return map ? contribute.whereHint : contribute.whereTyped
    const metres = distanceMetres(before, position)
    if (metres < 0.5) return contribute.notMoved
    return fill(contribute.moved, {
      distance: page.nearDistance(Math.max(1, metres)),
      direction: directionWords(setting, directionOf(bearingDegrees(before, position))),
    })
  }

  const typing = (
    <Typing key="typing" setting={setting} position={position} go={(to) => choose(to, closeZoom)} />
  )
  const nudging = (
    <Nudging
      key="nudging"
      setting={setting}
      isOpen={before !== undefined}
      nudge={(north, east) => position && choose(nudged(position, north, east))}
    />
  )
  const close = (): void => end(undefined)
  return (
    <PlaceCard id="contribute-place-title" title={title} close={words.map.close} root={root} onClose={close}>
      <div class="stack-4 card-body">
        <p class="stack-1 contribute-where" role="status">
          <span>{note || hint()}</span>
          {position && (
            <span class="faint contribute-coordinates" dir="ltr">
              {positionText(position)}
            </span>
          )}
        </p>
        <Button kind="quiet" isSmall icon="nearMe" text={contribute.myPosition} onPress={locate} />
        {edit && <Candidates setting={setting} at={rested} leave={close} edit={edit} />}
        {/* A fountain is mostly moved by metres; a new one is placed with the map. */}
        <div class="stack-2">{before ? [nudging, typing] : [typing, nudging]}</div>
      </div>
      <div class="contribute-take-row">
        <Button icon="approved" text={take} onPress={done} />
      </div>
    </PlaceCard>
  )
}

const directionWords = ({ words: { map } }: Setting, direction: keyof typeof map.directions): string =>
  fill(map.bearing, { direction: map.directions[direction] })

interface TypingProps {
  readonly setting: Setting
  readonly position: Position | undefined
  go(position: Position): void
}

function Typing({ setting: { words, format }, position, go }: TypingProps) {
  const { coordinates, coordinatesHint, goThere, problem } = words.contribute
  return (
    <details class="fold">
      <summary>{coordinates}</summary>
      <Form
        wordingOf={() => ''}
        problemsOf={() => ({ [placeName]: problem.coordinates })}
        work={async (data) => {
          const typed = parsePosition(textIn(data, placeName), format.tag)
          if (!typed) throw wrongFields(placeName)
          go(typed)
        }}
        actions={<Button kind="quiet" isSmall isSubmit text={goThere} />}
      >
        <Field
          name={placeName}
          label={coordinates}
          hint={coordinatesHint}
          dir="ltr"
          enterkeyhint="go"
          defaultValue={position && positionText(position)}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </Form>
    </details>
  )
}

const directions = [
  { key: 'n', north: 1, east: 0, arrow: 'ArrowUp', turn: 0 },
  { key: 'w', north: 0, east: -1, arrow: 'ArrowLeft', turn: -90 },
  { key: 'e', north: 0, east: 1, arrow: 'ArrowRight', turn: 90 },
  { key: 's', north: -1, east: 0, arrow: 'ArrowDown', turn: 180 },
] as const

const metreDegrees = 1 / 111_195

const nudged = ({ latitude, longitude }: Position, north: number, east: number): Position => ({
  latitude: Math.max(-90, Math.min(90, latitude + north * metreDegrees)),
  longitude: wrapLongitude(
    longitude + (east * metreDegrees) / Math.max(0.01, Math.cos((latitude * Math.PI) / 180)),
  ),
})

interface NudgingProps {
  readonly setting: Setting
  readonly isOpen: boolean
  nudge(metresNorth: number, metresEast: number): void
}

function Nudging({ setting, isOpen, nudge }: NudgingProps) {
  const { contribute } = setting.words
  const onKey = (event: KeyboardEvent): void => {
    const direction = directions.find(({ arrow }) => arrow === event.key)
    if (!direction) return
    event.preventDefault()
    const steps = event.shiftKey ? 10 : 1
    nudge(direction.north * steps, direction.east * steps)
  }
  return (
    <details class="fold" open={isOpen}>
      <summary>{contribute.nudge}</summary>
      <div class="contribute-nudges" role="group" aria-label={contribute.nudge} onKeyDown={onKey}>
        {directions.map(({ key, north, east, turn }) => {
          const label = fill(contribute.nudgeTo, { direction: directionWords(setting, key) })
          return (
            <button
              key={key}
              type="button"
              class="icon-button"
              style={{ gridArea: key, rotate: `${turn}deg` }}
              aria-label={label}
              title={label}
              onClick={() => nudge(north, east)}
            >
              <Icon name="arrow" />
            </button>
          )
        })}
      </div>
      <p class="faint">{contribute.nudgeHint}</p>
    </details>
  )
}
