import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/access-copy.ts'

/** What the page in a candidate's copy says beside what the page of the requests says. */
export const texts: Translated<typeof en> = {
  copyTitle: 'आपके साक्षात्कार के डेटा की प्रति',
  made: 'प्रति बनी',
  zone: 'समय {zone} के हैं।',
  forPrograms: 'यही डेटा, हर विवरण के साथ, प्रोग्रामों के लिए एक फ़ाइल में:',
  agreedTitle: 'पूछे जाने पर आपने क्या उत्तर दिया',
  agreedNone: 'कोई उत्तर दर्ज नहीं है।',
  yes: 'हाँ',
  no: 'नहीं',
  recordingsTitle: 'तस्वीरें, आवाज़ और रिकॉर्डिंग',
  wasErased: 'यह मिटा दिया गया है।',
  unreadable: 'इसे पढ़ा नहीं जा सका, और यह इस प्रति में नहीं है।',
  saidTitle: 'लिखित रूप',
  saidNone: 'कोई लिखित रूप नहीं है।',
  atStartTitle: 'हर बार रिकॉर्डिंग शुरू होने पर प्रोग्राम ने क्या देखा',
  notedTitle: 'कंप्यूटर पर हुई घटनाएँ',
  notedNone: 'कोई घटना दर्ज नहीं हुई।',
}
