import { element } from '../../map/card/markup.ts'
import type { Setting } from '../setting.ts'

/** Key of the consent to send the device's position with observations: asked once, stored in this browser. */

const key = 'observe-near'

function isAgreed(): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}

function agree(isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(key, '1')
    else localStorage.removeItem(key)
  } catch {
    // Without storage it is not sent.
  }
}

/** The consent checkbox. The browser also asks, when it is checked. */
export function withPlace({ words: { contribute } }: Setting): HTMLElement {
  const box = element('input', { type: 'checkbox', checked: isAgreed() })
  box.addEventListener('change', () => {
    agree(box.checked)
    if (box.checked) void placeNow()
  })
  return element(
    'label',
    { class: 'contribute-here' },
    box,
    element(
      'span',
      {},
      contribute.observe.near,
      element('span', { class: 'faint' }, ` ${contribute.observe.nearHint}`),
    ),
  )
}

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
