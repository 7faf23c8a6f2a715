import { store, stored } from '../../client/storage.ts'
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
  <label class="contribute-here">
    <input
      type="checkbox"
      defaultChecked={isAgreed()}
      onChange={({ currentTarget }) => agree(currentTarget.checked)}
    />
    <span>
      {words.contribute.observe.near} <span class="faint">{words.contribute.observe.nearHint}</span>
    </span>
  </label>
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
