import { store, stored } from '../../client/storage.ts'
import { Flag } from '../../ui/form.tsx'
import type { Setting } from '../setting.ts'

/** Key of the consent to send the device's position with observations: asked once, stored in this browser. */
const key = 'observe-near'

const isAgreed = (): boolean => stored(key) !== null

function agree(isOn: boolean): void {
  store(key, isOn ? '1' : undefined)
  // The browser asks, too.
  if (isOn) void placeNow()
}

/** The consent checkbox. */
export const NearConsent = ({ setting: { words } }: { readonly setting: Setting }) => (
  <Flag
    name="near"
    label={words.contribute.observe.near}
    hint={words.contribute.observe.nearHint}
    defaultChecked={isAgreed()}
    onChange={({ currentTarget }) => agree(currentTarget.checked)}
  />
)

/** The device's position with consent; undefined without consent or when it is unknown. */
export function placeNow(): Promise<
  { readonly latitude: number; readonly longitude: number; readonly accuracy: number } | undefined
> {
  if (!isAgreed() || !('geolocation' in navigator)) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude, accuracy } }) => resolve({ latitude, longitude, accuracy }),
      () => resolve(undefined),
      { enableHighAccuracy: true, timeout: 6000, maximumAge: 30_000 },
    )
  })
}
