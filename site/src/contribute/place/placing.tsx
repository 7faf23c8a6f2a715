import { distanceMetres } from '@openfountain/core/geodesy'
import { render } from 'preact'
import { coverOf } from '../../map/page/covered.ts'
import { bearingDegrees, wrapLongitude, type Position } from '../../map/page/position.ts'
import { fill } from '../../messages.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Form, textIn, wrongFields } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { placeName } from '../members.ts'
import type { Setting } from '../setting.ts'
import { parsePosition, positionText, roundedPosition } from './coordinates.ts'
import { Crosshair } from './crosshair.ts'
import { Candidates, candidatesAt, closing, type Candidate, type CandidateActions } from './near.tsx'

export interface PlacingOptions {
  readonly title: string
  /** Label of the button that takes the position. */
  readonly take: string
  /** The initial position; default the middle of the map. */
  readonly start?: Position | undefined
  /** The old position of a fountain that is moved. */
  readonly before?: Position
  /** The actions on existing fountains there; without them the fountains are not shown. */
  readonly candidates?: CandidateActions
}

/** A chosen position, with the known fountains there. */
export interface PickedPlace {
  readonly position: Position
  readonly candidates: Promise<readonly Candidate[]>
}

/** From this zoom on a finger is accurate to about ten metres. */
const exactZoom = 16
const closeZoom = 18
/** The server is asked after the map has rested for this time. */
const restMilliseconds = 350

const metreDegrees = 1 / 111_195

const directions = [
  { key: 'n', north: 1, east: 0, arrow: 'ArrowUp' },
  { key: 'w', north: 0, east: -1, arrow: 'ArrowLeft' },
  { key: 'e', north: 0, east: 1, arrow: 'ArrowRight' },
  { key: 's', north: -1, east: 0, arrow: 'ArrowDown' },
] as const

/** Asks the user for a position. @returns undefined when they closed the dialog */
export function choosePlace(setting: Setting, options: PlacingOptions): Promise<PickedPlace | undefined> {
  return new Promise((resolve) => new PlacePicker(setting, options, resolve))
}

class PlacePicker {
  readonly #setting: Setting
  readonly #options: PlacingOptions
  readonly #resolve: (placed: PickedPlace | undefined) => void
  readonly #root = document.createElement('section')
  readonly #ending = new AbortController()
  readonly #returnTo = document.activeElement
  readonly #sizes = new ResizeObserver(() => this.#keepClear())
  #cross: Crosshair | undefined
  #position: Position | undefined
  /** What is said in place of the hint, until the position changes. */
  #note = ''
  #rest: ReturnType<typeof setTimeout> | undefined
  #candidates: Promise<readonly Candidate[]> = Promise.resolve([])
  /** Whether the user typed or nudged the position; a late answer of the device then does not move it. */
  #isChosen = false

  constructor(setting: Setting, options: PlacingOptions, resolve: (placed: PickedPlace | undefined) => void) {
    this.#setting = setting
    this.#options = options
    this.#resolve = resolve
    const { map } = setting
    const root = this.#root
    root.className = 'card contribute-place'
    root.role = 'dialog'
    root.ariaModal = 'false'
    root.setAttribute('aria-labelledby', 'contribute-place-title')
    root.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      this.#end(undefined)
    })
    map?.closeCard()
    const stage = map?.container.closest('.main') ?? document.body
    stage.append(root)
    this.#sizes.observe(root)
    document.documentElement.classList.add('contribute-placing')
    const start = options.before ?? options.start
    if (start) this.#set(start)
    else this.#draw()
    root.querySelector('h2')?.focus({ preventScroll: true })
    map?.withMap(({ map: engine, place }) => {
      if (this.#ending.signal.aborted) return
      this.#cross = new Crosshair(engine, (position) => this.#set(position))
      this.#keepClear()
      if (options.before) this.#cross.showBefore(options.before)
      if (this.#position) this.#cross.go(this.#position, Math.max(closeZoom, place.zoom))
      else this.#set(roundedPosition(place))
    })
    if (!start) void this.#locateIfAllowed()
  }

  #draw(): void {
    const { words } = this.#setting
    const { title, take, before, candidates } = this.#options
    const close = (): void => this.#end(undefined)
    // A fountain is mostly moved by metres; a new one is placed with the map.
    const tools = [this.#typing(), this.#nudging()]
    render(
      <>
        <header class="card-head">
          <h2 class="card-title" id="contribute-place-title" tabIndex={-1}>
            <bdi>{title}</bdi>
          </h2>
          <button type="button" class="icon-button" aria-label={words.map.close} onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        <div class="card-body">
          <p class="contribute-where" role="status">
            <span>{this.#note || this.#hint}</span>
            {this.#position && (
              <span class="contribute-coordinates" dir="ltr">
                {positionText(this.#position)}
              </span>
            )}
          </p>
          <Button
            kind="quiet"
            isSmall
            icon="nearMe"
            text={words.contribute.myPosition}
            onPress={() => this.#locate()}
          />
          {candidates && (
            <Candidates setting={this.#setting} actions={closing(candidates, close)} of={this.#candidates} />
          )}
          <div class="contribute-tools">{before ? tools.toReversed() : tools}</div>
        </div>
        <div class="contribute-take-row">
          <Button icon="approved" text={take} onPress={() => this.#taken()} />
        </div>
      </>,
      this.#root,
    )
  }

  /** How to choose the position; for a moved fountain, the distance from the old one. */
  get #hint(): string {
    const { map, words } = this.#setting
    const { whereHint, whereTyped, notMoved, moved } = words.contribute
    const { before } = this.#options
    if (!before || !this.#position) return map ? whereHint : whereTyped
    const metres = distanceMetres(before, this.#position)
    if (metres < 0.5) return notMoved
    return fill(moved, {
      distance: this.#setting.distance(Math.max(1, metres)),
      direction: this.#setting.direction(bearingDegrees(before, this.#position)),
    })
  }

  /** Typing coordinates, folded. */
  #typing() {
    const { contribute } = this.#setting.words
    const { coordinates } = contribute.problem
    // The event comes a moment later: an entry typed meanwhile stays.
    const offer = (fold: HTMLDetailsElement): void => {
      const entry = fold.querySelector('input')
      if (!fold.open || !entry || entry.value !== (entry.dataset['offered'] ?? '')) return
      entry.value = entry.dataset['offered'] = this.#position ? positionText(this.#position) : ''
      entry.select()
    }
    const go = async (data: FormData): Promise<void> => {
      const position = parsePosition(textIn(data, placeName), this.#setting.format.tag)
      if (!position) throw wrongFields(placeName)
      this.#set(position)
      this.#cross?.go(position, closeZoom)
    }
    return (
      <details key="typing" class="fold" onToggle={({ currentTarget }) => offer(currentTarget)}>
        <summary>{contribute.coordinates}</summary>
        <Form
          wordingOf={() => ''}
          problemsOf={() => ({ [placeName]: coordinates })}
          work={go}
          actions={<Button kind="quiet" isSmall isSubmit text={contribute.goThere} />}
        >
          <Field
            name={placeName}
            label={contribute.coordinates}
            hint={contribute.coordinatesHint}
            dir="ltr"
            enterkeyhint="go"
          />
        </Form>
      </details>
    )
  }

  /** Buttons and arrow keys that move the position by a metre. */
  #nudging() {
    const { contribute, map } = this.#setting.words
    const onKey = (event: KeyboardEvent): void => {
      const direction = directions.find(({ arrow }) => arrow === event.key)
      if (!direction) return
      event.preventDefault()
      const steps = event.shiftKey ? 10 : 1
      this.#nudge(direction.north * steps, direction.east * steps)
    }
    return (
      <details key="nudging" class="fold" open={this.#options.before !== undefined}>
        <summary>{contribute.nudge}</summary>
        <div class="contribute-nudges" role="group" aria-label={contribute.nudge} onKeyDown={onKey}>
          {directions.map(({ key, north, east }) => {
            const label = fill(contribute.nudgeTo, {
              direction: fill(map.bearing, { direction: map.directions[key] }),
            })
            return (
              <button
                key={key}
                type="button"
                class={`icon-button contribute-nudge-${key}`}
                aria-label={label}
                title={label}
                onClick={() => this.#nudge(north, east)}
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

  #nudge(north: number, east: number): void {
    if (!this.#position) return
    this.#isChosen = true
    const { latitude, longitude } = this.#position
    const position = {
      latitude: Math.max(-90, Math.min(90, latitude + north * metreDegrees)),
      longitude: wrapLongitude(
        longitude + (east * metreDegrees) / Math.max(0.01, Math.cos((latitude * Math.PI) / 180)),
      ),
    }
    this.#set(roundedPosition(position))
    this.#cross?.go(position)
  }

  #set(position: Position): void {
    this.#position = position
    this.#tell('')
    clearTimeout(this.#rest)
    if (this.#options.candidates) this.#rest = setTimeout(() => this.#look(), restMilliseconds)
  }

  #tell(note: string): void {
    this.#note = note
    if (!this.#ending.signal.aborted) this.#draw()
  }

  /** Looks for fountains that are there already. */
  #look(): void {
    if (!this.#position || this.#ending.signal.aborted) return
    this.#candidates = candidatesAt(this.#setting, this.#position)
    this.#draw()
  }

  /** With permission already granted, the map begins at the visitor's position. */
  async #locateIfAllowed(): Promise<void> {
    try {
      const { state } = await navigator.permissions.query({ name: 'geolocation' })
      if (state === 'granted' && !this.#ending.signal.aborted && !this.#isChosen) this.#locate()
    } catch {
      // Some browsers cannot query the permission: the button asks.
    }
  }

  #locate(): void {
    const { map: strings, contribute } = this.#setting.words
    if (!('geolocation' in navigator)) return this.#tell(strings.locationFailed)
    this.#tell(strings.locating)
    this.#isChosen = false
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude, accuracy } }) => {
        if (this.#ending.signal.aborted || this.#isChosen) return
        const position = roundedPosition({ latitude, longitude })
        this.#set(position)
        this.#cross?.showFix({ latitude, longitude, accuracyMetres: accuracy })
        this.#cross?.go(position, closeZoom)
        this.#tell(fill(contribute.accuracy, { distance: this.#setting.distance(Math.max(1, accuracy)) }))
      },
      ({ code, PERMISSION_DENIED }) =>
        this.#tell(code === PERMISSION_DENIED ? strings.locationDenied : strings.locationFailed),
      { enableHighAccuracy: true, timeout: 15_000, maximumAge: 5000 },
    )
  }

  #taken(): void {
    const { map, words } = this.#setting
    if (!this.#position) return this.#tell(words.contribute.problem.coordinates)
    const zoom = map?.map?.place.zoom
    // At a low zoom the position is not exact.
    if (zoom !== undefined && zoom < exactZoom && this.#cross) {
      this.#cross.go(this.#position, closeZoom)
      return this.#tell(words.contribute.lookAgain)
    }
    if (this.#options.candidates) this.#look()
    this.#end({ position: this.#position, candidates: this.#candidates })
  }

  #keepClear(): void {
    const { map } = this.#setting
    if (map && this.#cross) this.#cross.keepClearOf(coverOf(this.#root, map.container))
  }

  #end(placed: PickedPlace | undefined): void {
    if (this.#ending.signal.aborted) return
    this.#ending.abort()
    clearTimeout(this.#rest)
    this.#sizes.disconnect()
    this.#cross?.end()
    render(null, this.#root)
    this.#root.remove()
    document.documentElement.classList.remove('contribute-placing')
    if (this.#returnTo instanceof HTMLElement && this.#returnTo.isConnected)
      this.#returnTo.focus({ preventScroll: true })
    this.#resolve(placed)
  }
}
