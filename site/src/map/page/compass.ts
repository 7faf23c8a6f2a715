/** A turn of the device. Safari tells the heading itself; elsewhere it follows from the rotation against north. */
type Turn = Pick<DeviceOrientationEvent, 'absolute' | 'alpha'> & { readonly webkitCompassHeading?: number }

/** Safari asks the visitor, in answer to a tap. */
interface Asking {
  requestPermission?(): Promise<string>
}

/** Follows the device's compass, after a tap, unless the visitor prefers reduced motion. @param turned gets whole degrees clockwise from north */
export async function followCompass(turned: (degrees: number) => void): Promise<void> {
  if (!('DeviceOrientationEvent' in globalThis)) return
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const asking = DeviceOrientationEvent as unknown as Asking
  const answer = await asking.requestPermission?.().catch(() => 'denied')
  if (answer !== undefined && answer !== 'granted') return
  let last: number | undefined
  const follow = (turn: Turn): void => {
    const heading = headingOf(turn)
    if (heading === undefined || heading === last) return
    last = heading
    turned(heading)
  }
  for (const type of ['deviceorientation', 'deviceorientationabsolute'] as const)
    addEventListener(type, follow)
}

function headingOf({ webkitCompassHeading, absolute, alpha }: Turn): number | undefined {
  const top = webkitCompassHeading ?? (absolute && alpha !== null ? 360 - alpha : undefined)
  return top === undefined ? undefined : Math.round(top + screen.orientation.angle) % 360
}
