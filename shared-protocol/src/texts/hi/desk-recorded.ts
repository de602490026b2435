import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/desk-recorded.ts'

export const texts: Translated<typeof en> = {
  recordedTitle: 'क्या रिकॉर्ड होता है',
  recordedText:
    'बदलाव केवल इस साक्षात्कार पर लागू होता है; उसकी नीति वैसी ही रहती है। चल रहा ऐप्लिकेशन इसे तुरंत जान जाता है। जिस बात पर उम्मीदवार ने अभी सहमति नहीं दी, वह पूछे जाने तक रिकॉर्ड नहीं होती।',
  recordedNothing: 'इस साक्षात्कार का कुछ रिकॉर्ड नहीं होता।',
  recordedChange: 'क्या रिकॉर्ड हो, बदलें',
  recordedChanged: 'यहाँ {n} {n|सेटिंग बदली|सेटिंग बदलीं}।',
  recordedSave: 'इस साक्षात्कार के लिए सहेजें',
  recordedSaved: 'इस साक्षात्कार के लिए सहेजा गया।',
  recordedWrong: 'कृपया ऐसी पूर्ण संख्या दें जिसे सेवा स्वीकार करे।',
  recordedOvertaken:
    'इस बीच किसी और ने ये सेटिंग बदल दीं। कुछ सहेजा नहीं गया। आपके बदलाव यहीं हैं; फिर देखें और दोबारा सहेजें।',
  'recorded.capture.enabled': 'स्क्रीन',
  'recorded.audio.microphone': 'माइक्रोफ़ोन',
  'recorded.audio.systemAudio': 'कंप्यूटर की आवाज़',
  'recorded.audio.transcript': 'लिखित प्रतिलेख',
  'recorded.camera.enabled': 'कैमरा',
  'recorded.sideView.enabled': 'फ़ोन से बगल का दृश्य',
  'recorded.signals': 'कंप्यूटर की घटनाएँ',
  'recorded.windowTitles': 'विंडो के शीर्षक',
  'recorded.pauseAllowed': 'उम्मीदवार रोक सकता है',
  'recorded.retentionDays': 'रिकॉर्डिंग रखने के दिन',
  'recorded.capture.screenshotIntervalSeconds': 'स्क्रीन की तस्वीरों के बीच सेकंड',
  'recorded.camera.stillIntervalSeconds': 'कैमरे की तस्वीरों के बीच सेकंड',
  'recorded.requiredApps': 'साक्षात्कार के लिए ज़रूरी ऐप्लिकेशन, हर पंक्ति में एक',
  recordedSideView: 'उम्मीदवार के पास का फ़ोन',
  recordedSideViewText: 'फ़ोन बीच-बीच में लाइव तस्वीर दिखाता है। वह कहीं नहीं रखी जाती, और उसे हर बार देखना दर्ज होता है।',
  recordedSideViewShow: 'फ़ोन की तस्वीर दिखाएँ',
  recordedSideViewHide: 'फ़ोन की तस्वीर छिपाएँ',
  recordedSideViewAlt: 'फ़ोन की सबसे नई लाइव तस्वीर',
  recordedSideViewNone: 'फ़ोन ने इस साक्षात्कार में अभी कोई तस्वीर नहीं दिखाई।',
}
