/** That of package.json, which is not there in a bundle. */
export const version = '0.1.0'
