/** The address of a licence with an SPDX id; another name stays a name. */
export function licenseAddress(license: string): string {
  return /^[A-Za-z0-9.+-]+$/u.test(license) ? `https://spdx.org/licenses/${license}.html` : license
}
