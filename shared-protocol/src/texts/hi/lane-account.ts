import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/lane-account.ts'

export const texts: Translated<typeof en> = {
  'laneAccount.off': 'इस साक्षात्कार का हिस्सा नहीं।',
  'laneAccount.declined': 'उम्मीदवार ने मना किया।',
  'laneAccount.unused': 'इससे कुछ अपेक्षित नहीं था।',
  'laneAccount.agent': 'कंप्यूटर के ऐप ने {expected} में से {observed} की सूचना दी',
  'laneAccount.phone': 'फ़ोन ने {expected} में से {observed} की सूचना दी',
  'laneAccount.room': 'कमरे के पेज ने {expected} में से {observed} की सूचना दी',
  'laneAccount.words': '{reported}।',
  'laneAccount.held': '{reported}; सेवा के पास {held} की रिकॉर्डिंग है।',
  'laneAccount.notHeld': '{reported}; सेवा के पास इसकी कोई रिकॉर्डिंग नहीं है।',
  'laneAccount.seconds': '{seconds} सेकंड',
}
