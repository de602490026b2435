import { createLdap, type Ldap, type LdapPerson } from '../../src/platform/ldap/ldap.ts'
import { LdapError } from '../../src/platform/ldap/ldap-error.ts'

export const directoryUrl = 'ldaps://directory.example'
export const directoryPassword = 'of the directory'

/** A directory that knows everybody by one password; other addresses are the real thing. */
export const createScriptedDirectory = (groups: readonly string[] = []): Ldap => {
  const real = createLdap({ allowPrivate: true, isInTransaction: () => false })
  return {
    signIn: (settings, username, password): Promise<LdapPerson> => {
      if (settings.url !== directoryUrl) return real.signIn(settings, username, password)
      if (password !== directoryPassword) return Promise.reject(new LdapError('credentials'))
      const email = `${username}@sso.example`
      return Promise.resolve({ dn: `uid=${username}`, id: `id-${username}`, email, name: username, groups })
    },
    probe: (settings) =>
      settings.url === directoryUrl ? Promise.resolve([{ name: 'connect', ok: true }]) : real.probe(settings),
  }
}
