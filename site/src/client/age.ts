/** Units of ages such as “3 days ago”. A script computes them, since only it knows the current time. */
const units = [
  ['year', 365.25 * 86_400],
  ['month', 30.44 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-age]')) {
  const seconds = (Date.now() - Date.parse(time.dateTime)) / 1000
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? ['minute', 60]
  const format = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: 'auto' })
  time.title = time.textContent ?? ''
  time.textContent = format.format(-Math.max(0, Math.floor(seconds / size)), unit)
}
