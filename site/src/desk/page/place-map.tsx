import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Pixel } from '../../map/engine/place-map.ts'
import { config, desk, words } from './config.ts'

export interface Spot {
  readonly latitude: number
  readonly longitude: number
  /** Its number among others. */
  readonly text?: string
  readonly looks?: 'verified' | 'changed' | 'removed' | false
}

const Dot = ({ spot: { text, looks }, at }: { readonly spot: Spot; readonly at?: Pixel | undefined }) => (
  <span
    class={`dot${looks ? ` dot-${looks}` : ''}`}
    style={at && { left: `${at.x}px`, top: `${at.y}px` }}
    aria-hidden="true"
  >
    {text}
  </span>
)

/** Spots on the registry's base map; `children` stand in its place until it is drawn, and in browsers without WebGL. */
export function PlaceMap({
  spots,
  children,
}: {
  readonly spots: readonly Spot[]
  readonly children?: ComponentChildren
}) {
  const room = useRef<HTMLDivElement>(null)
  const [pixels, setPixels] = useState<readonly Pixel[]>([])
  useEffect(() => {
    let leave: (() => void) | undefined
    let isLeft = false
    async function show(): Promise<void> {
      const { showPlaces } = await import('../../map/engine/fountain-map.ts')
      if (isLeft || !room.current) return
      leave = await showPlaces(room.current, config.map, spots, (placed) => !isLeft && setPixels(placed))
      if (isLeft) leave()
    }
    show().catch(() => undefined)
    return () => {
      isLeft = true
      leave?.()
    }
  }, [spots])
  const { credits } = config
  const moved = (['removed', 'changed'] as const).flatMap(
    (looks) => spots.find((spot) => spot.looks === looks) ?? [],
  )
  return (
    <figure class="stack-1">
      <div class="surface plan desk-places" data-drawn={pixels.length > 0 || undefined} ref={room}>
        {children}
        {pixels.map((at, index) => spots[index] && <Dot key={index} spot={spots[index]} at={at} />)}
      </div>
      <figcaption class="faint">
        {pixels.length > 0 && moved.length > 1 && (
          <span class="row">
            {moved.map((spot) => (
              <span key={spot.looks} class="with-icon">
                <Dot spot={spot} /> {spot.looks === 'removed' ? desk.was : desk.is}
              </span>
            ))}
          </span>
        )}
        {pixels.length > 0 && credits.length > 0 && (
          <span>
            {words.streets.credit}{' '}
            {credits.map(({ name, url }, index) => (
              <>
                {index > 0 && ', '}
                <a href={url} rel="noopener">
                  {name}
                </a>
              </>
            ))}
          </span>
        )}
      </figcaption>
    </figure>
  )
}
