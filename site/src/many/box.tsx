import type { Waypoint } from '@openfountain/core'
import { moderation } from '@openfountain/core/rules'
import { render, type JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { request } from '../api/request.ts'
import { PlaceCard } from '../contribute/place/place-card.tsx'
import type { Setting } from '../contribute/setting.ts'
import { refusalText } from '../contribute/wording.ts'
import type { Bounds } from '../data/region.ts'
import type { CellPoint } from '../map/data/cell.ts'
import { checkNames, conditionsIn, matches, noFilter } from '../map/list/filter.ts'
import { coverOf } from '../map/page/covered.ts'
import type { MapPage } from '../map/page/map-page.tsx'
import { wrapLongitude } from '../map/page/position.ts'
import '../styles/contribute.css'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/form.tsx'
import { placed } from '../views/placed.ts'

/** Pixels of a map from its upper left corner. */
interface Frame {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** The least size of a frame, and how far a key moves a corner; with Shift five times as far. */
const least = 48
const step = 10

/** Fountains in a frame on the map that match its filter, as the server has them. @returns undefined when it was left */
export async function fountainsIn(setting: Setting, map: MapPage): Promise<readonly Waypoint[] | undefined> {
  const returnTo = document.activeElement
  const holder = document.createElement('div')
  map.closeCard()
  const { classList } = document.documentElement
  classList.add('contribute-placing')
  const found = await new Promise<readonly Waypoint[] | undefined>((end) => {
    const card = placed(<BoxPicker setting={setting} map={map} end={end} />, holder)
    const stage = map.container.closest('.main') ?? document.body
    stage.append(card)
    card.querySelector('h2')?.focus({ preventScroll: true })
  })
  render(null, holder)
  classList.remove('contribute-placing')
  if (returnTo instanceof HTMLElement && returnTo.isConnected) returnTo.focus({ preventScroll: true })
  return found
}

/** At most one more than can be changed at once. @throws Refusal */
async function read(bounds: Bounds, map: MapPage): Promise<readonly Waypoint[]> {
  const most = String(moderation.changedAtOnce + 1)
  const query = new URLSearchParams({ bbox: bounds.join(), limit: most })
  for (const { name, value } of conditionsIn({ ...map.filter, region: undefined }))
    query.append(name, checkNames.some((check) => check === name) ? 'true' : value)
  const { waypoints } = await request<{ waypoints: readonly Waypoint[] }>('GET', `/waypoints?${query}`)
  const { region } = map.filter
  if (region === undefined) return waypoints
  // Towns are known to the site alone.
  const { cells } = map
  const shown = new Set<number>()
  const add = (points: Iterable<CellPoint>): void => {
    for (const point of points) if (matches({ ...noFilter, region }, point)) shown.add(point.id)
  }
  for (const [key] of await cells.entries(bounds, noFilter)) add(await cells.points(key))
  add(cells.updates?.fountains() ?? [])
  return waypoints.filter(({ id }) => shown.has(id))
}

interface PickerProps {
  readonly setting: Setting
  readonly map: MapPage
  end(found: readonly Waypoint[] | undefined): void
}

function BoxPicker({ setting, map, end }: PickerProps) {
  const { many, map: words } = setting.words
  const root = useRef<HTMLElement>(null)
  const [frame, setFrame] = useState<Frame>()
  const onMap = useRef<HTMLElement>()

  function uncovered(share: number): Frame {
    const { left, right, bottom } = coverOf([root.current], map.container)
    const { clientWidth, clientHeight } = map.container
    const across = (clientWidth - left - right) * share
    const down = (clientHeight - bottom) * share
    return {
      left: left + across,
      top: down,
      right: clientWidth - right - across,
      bottom: clientHeight - bottom - down,
    }
  }
  useEffect(() => {
    const { container } = map
    const element = document.createElement('div')
    element.className = 'many-frame'
    container.append(element)
    onMap.current = element
    setFrame(uncovered(0.15))
    // A dot under the frame must not open.
    const still = (event: Event): void => event.stopPropagation()
    container.addEventListener('click', still, { capture: true })
    const sizes = new ResizeObserver(() => setFrame(uncovered(0.15)))
    sizes.observe(container)
    return () => {
      sizes.disconnect()
      container.removeEventListener('click', still, { capture: true })
      render(null, element)
      element.remove()
    }
  }, [])
  useLayoutEffect(() => {
    if (onMap.current && frame)
      render(
        <Corners frame={frame} setting={setting} within={map.container} move={setFrame} />,
        onMap.current,
      )
  }, [frame])

  async function choose(): Promise<void> {
    const engine = map.map?.map
    if (!engine || !frame) return end(undefined)
    const [first, last] = [
      engine.unproject([frame.left, frame.top]),
      engine.unproject([frame.right, frame.bottom]),
    ]
    const isWhole = last.lng - first.lng >= 360
    end(
      await read(
        [
          isWhole ? -180 : wrapLongitude(first.lng),
          Math.max(-90, last.lat),
          isWhole ? 180 : wrapLongitude(last.lng),
          Math.min(90, first.lat),
        ],
        map,
      ),
    )
  }
  const close = (): void => end(undefined)
  return (
    <PlaceCard id="many-box-title" title={many.select} close={words.close} root={root} onClose={close}>
      <div class="card-body">
        <Form
          id="many-box"
          wordingOf={(error) => refusalText(setting, error)}
          work={choose}
          actions={
            <>
              <Button kind="quiet" text={many.all} onPress={() => setFrame(uncovered(0))} />
              <Button isSubmit icon="approved" text={many.take} />
            </>
          }
        >
          <p>{many.frame}</p>
        </Form>
      </div>
    </PlaceCard>
  )
}

interface CornersProps {
  readonly frame: Frame
  readonly setting: Setting
  readonly within: HTMLElement
  move(frame: Frame): void
}

function Corners({ frame, setting, within, move }: CornersProps) {
  const { many } = setting.words
  const { left, top, right, bottom } = frame
  const moved = (isFirst: boolean, x: number, y: number): void => {
    const { clientWidth, clientHeight } = within
    move(
      isFirst
        ? { ...frame, left: clamped(x, 0, right - least), top: clamped(y, 0, bottom - least) }
        : {
            ...frame,
            right: clamped(x, left + least, clientWidth),
            bottom: clamped(y, top + least, clientHeight),
          },
    )
  }
  const corner = (isFirst: boolean) => {
    const [x, y] = isFirst ? [left, top] : [right, bottom]
    const keyed = (event: JSX.TargetedKeyboardEvent<HTMLElement>): void => {
      const by = step * (event.shiftKey ? 5 : 1)
      const [across = 0, down = 0] =
        { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] }[event.key] ?? []
      if (across === 0 && down === 0) return
      event.preventDefault()
      event.stopPropagation()
      moved(isFirst, x + across, y + down)
    }
    const dragged = (event: JSX.TargetedPointerEvent<HTMLElement>): void => {
      event.stopPropagation()
      if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
      const edge = within.getBoundingClientRect()
      moved(isFirst, event.clientX - edge.left, event.clientY - edge.top)
    }
    return (
      <button
        type="button"
        class="many-corner"
        aria-label={isFirst ? many.first : many.last}
        style={{ left: `${x}px`, top: `${y}px` }}
        onKeyDown={keyed}
        onPointerDown={(event) => {
          event.stopPropagation()
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={dragged}
        onMouseDown={(event) => event.stopPropagation()}
        onTouchStart={(event) => event.stopPropagation()}
      />
    )
  }
  return (
    <>
      <div
        class="many-box"
        style={{
          left: `${left}px`,
          top: `${top}px`,
          width: `${right - left}px`,
          height: `${bottom - top}px`,
        }}
      />
      {corner(true)}
      {corner(false)}
    </>
  )
}

const clamped = (value: number, from: number, to: number): number => Math.max(from, Math.min(value, to))
