import type { Needs } from '../../kernel/call.ts'
import {
  findMemberAddress,
  findStandingByEvidenceAcrossOrgs,
  findStandingBySessionAcrossOrgs,
  findStandingInOrg,
  insertMembership,
  listAdminAddresses,
  listMembershipsAcrossOrgs,
} from './memberships.store.ts'
import { findLogin, findPerson, findUserByEmail, insertUser } from './users.store.ts'

/** Who may sign in with this address, which is normalised. */
export const loginOf = (call: Needs<'reader'>, email: string) => findLogin(call.reader, email)

export const personOf = (call: Needs<'reader'>, userId: string) => findPerson(call.reader, userId)

/** Crosses tenants: the organisations a person is an active member of, in the order of their ids. */
export const membershipsAcrossOrgs = (call: Needs<'reader'>, userId: string) =>
  listMembershipsAcrossOrgs(call.reader, userId)

/** As what a person acts in an organisation; undefined for who is no active member. */
export const standingInOrg = (call: Needs<'reader'>, userId: string, orgId: string) =>
  findStandingInOrg(call.reader, userId, orgId)

/** Crosses tenants, within the organisations of one person: as what they act where this session is. */
export const standingBySessionAcrossOrgs = (call: Needs<'reader'>, userId: string, sessionId: string) =>
  findStandingBySessionAcrossOrgs(call.reader, userId, sessionId)

/** The same for an object of evidence. */
export const standingByEvidenceAcrossOrgs = (call: Needs<'reader'>, userId: string, evidenceId: string) =>
  findStandingByEvidenceAcrossOrgs(call.reader, userId, evidenceId)

/** Addresses of an organisation's active owners and admins. */
export const adminAddresses = (call: Needs<'reader'>, orgId: string) => listAdminAddresses(call.reader, orgId)

/** The address of an active member; undefined for anybody else. */
export const memberAddress = (call: Needs<'reader'>, orgId: string, userId: string) =>
  findMemberAddress(call.reader, orgId, userId)

export const isEmailTaken = async (call: Needs<'reader'>, email: string): Promise<boolean> =>
  (await findUserByEmail(call.reader, email)) !== undefined

export const addUser = (call: Needs<'reader' | 'tx'>, user: Parameters<typeof insertUser>[1]) =>
  insertUser(call.tx, user)

export const addMembership = (
  call: Needs<'reader' | 'tx'>,
  orgId: string,
  membership: Parameters<typeof insertMembership>[2],
) => insertMembership(call.tx, orgId, membership)
