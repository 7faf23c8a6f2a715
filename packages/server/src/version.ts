/** The version of package.json, which a bundle lacks. */
export const version = '0.1.0'
