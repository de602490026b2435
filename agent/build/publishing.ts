type Environment = Readonly<Record<string, string | undefined>>

/** Who publishes the packages; a deb names them. */
export const packagePublisher = (env: Environment): { maintainer: string; homepage: string } => ({
  maintainer: env['PACKAGE_MAINTAINER'] ?? 'interview-integrity <maintainers@interview-integrity.invalid>',
  homepage: env['PACKAGE_HOMEPAGE'] ?? 'https://interview-integrity.invalid',
})

/**
 * What will not be signed with this environment, in words; electron-builder reads the same variables. Empty: everything
 * that this platform knows is signed.
 */
export const unsignedParts = (platform: NodeJS.Platform, env: Environment): string[] => {
  const has = (...names: string[]): boolean => names.every((name) => Boolean(env[name]))
  if (platform === 'darwin') {
    const signed = has('CSC_LINK') || has('CSC_NAME')
    const notarised =
      has('APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID') ||
      has('APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER')
    return [
      ...(signed
        ? []
        : ['the application (set CSC_LINK and CSC_KEY_PASSWORD, or CSC_NAME): macOS will refuse to open it']),
      ...(signed && notarised
        ? []
        : [
            'by Apple, so not notarised (set APPLE_ID, APPLE_APP_SPECIFIC_PASSWORD and APPLE_TEAM_ID, or APPLE_API_KEY, APPLE_API_KEY_ID and APPLE_API_ISSUER)',
          ]),
    ]
  }
  if (platform === 'win32' && !has('WIN_CSC_LINK') && !has('CSC_LINK')) {
    return ['the installer (set WIN_CSC_LINK and WIN_CSC_KEY_PASSWORD, or CSC_LINK): Windows will warn of it']
  }
  return []
}
