import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/gap-words.ts'

export const texts: Translated<typeof en> = {
  'account.observed': 'देखा गया',
  'account.gap': 'कुछ रिकॉर्ड नहीं',
  'account.paused': 'अनुरोध पर रोका गया',
  'account.declined': 'मना किया गया',
  'account.not_wanted': 'नहीं माँगा गया',
  'account.agreed_break': 'तय विराम',
  'gap.declined': 'उम्मीदवार ने मना किया',
  'gap.permission_denied': 'ऑपरेटिंग सिस्टम ने अनुमति नहीं दी',
  'gap.permission_lapsed': 'ऑपरेटिंग सिस्टम ने अनुमति वापस ली',
  'gap.unplugged': 'उपकरण हट गया',
  'gap.asleep_or_locked': 'कंप्यूटर सोया या लॉक था',
  'gap.offline': 'कंप्यूटर ऑफ़लाइन था और उसके सहेजे का कुछ हिस्सा खो गया',
  'gap.agent_stopped': 'एप्लिकेशन नहीं चल रहा था',
  'gap.not_observable': 'यह कंप्यूटर इसे देख नहीं सकता',
  'gap.paused': 'नीति के अनुसार रोका गया',
  'gap.break': 'उम्मीदवार ने विराम लिया',
  'gap.driver_failed': 'रिकॉर्डिंग प्रोग्राम विफल हुआ और दोबारा शुरू हुआ',
  'gap.storage_full': 'अनभेजी चीज़ों के लिए जगह नहीं बची',
  'gap.interrupted': 'फ़ोन का दृश्य बाधित हुआ',
  'gap.in_background': 'फ़ोन का पेज सामने नहीं था',
  'gap.starting': 'रिकॉर्डिंग शुरू हो रही थी',
  'gap.stopping': 'रिकॉर्डिंग बंद हो रही थी',
  'gap.not_reported': 'इस समय के बारे में कुछ नहीं बताया गया',
}
