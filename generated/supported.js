// Generated from src/openapi/check/supported.yaml; do not edit.
"use strict";
export const validate = validate0;
export default validate0;
const schema0 = {"$ref":"#/$defs/openapi","$defs":{"openapi":{"title":"OpenAPI Object","type":"object","required":["openapi","info"],"if":{"properties":{"components":false,"webhooks":false}},"then":{"title":"OpenAPI Object","required":["paths"]},"additionalProperties":false,"properties":{"openapi":{"type":"string","pattern":"^3\\.[012]\\.\\d+$","advice":"use a version of OpenAPI from 3.0 to 3.2"},"$self":{"type":"string"},"jsonSchemaDialect":{"type":"string","pattern":"^https://(spec\\.openapis\\.org/oas/3\\.[12]/dialect/.+|json-schema\\.org/draft/2020-12/schema#?)$","advice":"use JSON Schema 2020-12"},"info":{"$ref":"#/$defs/info"},"paths":{"$ref":"#/$defs/paths"},"servers":{"type":"array","items":{"$ref":"#/$defs/server"}},"tags":{"type":"array","items":{"$ref":"#/$defs/tag"}},"externalDocs":{"$ref":"#/$defs/externalDocs"},"webhooks":{"type":"object","additionalProperties":{"$ref":"#/$defs/pathItem"}},"security":{"$ref":"#/$defs/security"},"components":{"$ref":"#/$defs/components"}}},"info":{"title":"Info Object","type":"object","required":["title","version"],"additionalProperties":false,"properties":{"title":{"type":"string"},"version":{"type":"string"},"summary":{"type":"string"},"description":{"type":"string"},"termsOfService":{"type":"string"},"contact":{"title":"Contact Object","type":"object","additionalProperties":false,"properties":{"name":{"type":"string"},"url":{"type":"string"},"email":{"type":"string"}}},"license":{"title":"License Object","type":"object","required":["name"],"additionalProperties":false,"properties":{"name":{"type":"string"},"identifier":{"type":"string"},"url":{"type":"string"}}}}},"server":{"title":"Server Object","type":"object","required":["url"],"additionalProperties":false,"properties":{"name":{"type":"string"},"url":{"type":"string"},"description":{"type":"string"},"variables":{"type":"object","additionalProperties":{"$ref":"#/$defs/serverVariable"}}}},"serverVariable":{"title":"Server Variable Object","type":"object","required":["default"],"additionalProperties":false,"properties":{"default":{"type":"string"},"enum":{"type":"array","minItems":1,"items":{"type":"string"},"advice":"add a value"},"description":{"type":"string"}}},"tag":{"title":"Tag Object","type":"object","required":["name"],"additionalProperties":false,"properties":{"name":{"type":"string"},"summary":{"type":"string"},"description":{"type":"string"},"externalDocs":{"$ref":"#/$defs/externalDocs"},"parent":{"type":"string"},"kind":{"type":"string"}}},"externalDocs":{"title":"External Documentation Object","type":"object","required":["url"],"additionalProperties":false,"properties":{"url":{"type":"string"},"description":{"type":"string"}}},"components":{"title":"Components Object","type":"object","additionalProperties":false,"properties":{"schemas":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/schema"}},"parameters":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/parameter"}},"requestBodies":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/requestBody"}},"responses":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/response"}},"headers":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/header"}},"securitySchemes":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/securityScheme"}},"examples":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/example"}},"pathItems":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/pathItem"}},"links":{"$ref":"#/$defs/named","additionalProperties":{"kind":"links","$ref":"#/$defs/unserved"}},"callbacks":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/callback"}},"mediaTypes":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/mediaType"}}}},"named":{"title":"components","type":"object","propertyNames":{"pattern":"^[a-zA-Z0-9._-]+$","advice":"use letters, digits, \".\", \"_\" and \"-\""}},"paths":{"title":"Paths Object","type":"object","check":"paths","additionalProperties":false,"patternProperties":{"^\\/(?!.*\\}\\{)(?!.*(\\{[^{}]+\\}).*\\1)((?!\\.{1,2}(\\/|$))(\\{[^{}/]+\\}|[A-Za-z0-9._~!$&'()+,;=:@-])+(\\/|$))*$":{"$ref":"#/$defs/pathItem"}},"advice":"begin it with \"/\", and make each segment of plain text and {parameters} with text between, whose names differ, without braces and \"/\""},"pathItem":{"title":"Path Item Object","type":"object","kind":"pathItems","additionalProperties":false,"properties":{"$ref":{"refersTo":"pathItems","type":"string"},"summary":{"type":"string"},"description":{"type":"string"},"parameters":{"type":"array","items":{"$ref":"#/$defs/parameter"}},"servers":{"type":"array","items":{"$ref":"#/$defs/server"}},"head":{"$ref":"#/$defs/operation","properties":{"requestBody":{"not":{},"advice":"remove it: HEAD and TRACE have no body (RFC 9110, section 9.3)"}}},"get":{"$ref":"#/$defs/operation"},"put":{"$ref":"#/$defs/operation"},"post":{"$ref":"#/$defs/operation"},"delete":{"$ref":"#/$defs/operation"},"patch":{"$ref":"#/$defs/operation"},"options":{"$ref":"#/$defs/operation"},"trace":{"$ref":"#/$defs/operation","properties":{"requestBody":{"not":{},"advice":"remove it: HEAD and TRACE have no body (RFC 9110, section 9.3)"}}},"query":{"$ref":"#/$defs/operation"},"additionalOperations":{"title":"additionalOperations","type":"object","additionalProperties":{"$ref":"#/$defs/operation"},"propertyNames":{"enum":["ACL","BIND","CHECKOUT","COPY","LINK","LOCK","M-SEARCH","MERGE","MKACTIVITY","MKCALENDAR","MKCOL","MOVE","NOTIFY","PROPFIND","PROPPATCH","PURGE","REBIND","REPORT","SEARCH","SOURCE","SUBSCRIBE","UNBIND","UNLINK","UNLOCK","UNSUBSCRIBE"],"advice":"use a method of HTTP that Node.js receives and that has no field of its own"}}}},"operation":{"title":"Operation Object","type":"object","additionalProperties":false,"properties":{"operationId":{"type":"string","pattern":"^(?!__proto__$).","advice":"choose another name"},"tags":{"type":"array","items":{"type":"string"}},"summary":{"type":"string"},"description":{"type":"string"},"externalDocs":{"$ref":"#/$defs/externalDocs"},"parameters":{"type":"array","items":{"$ref":"#/$defs/parameter"}},"requestBody":{"$ref":"#/$defs/requestBody"},"responses":{"$ref":"#/$defs/responses"},"security":{"$ref":"#/$defs/security"},"servers":{"type":"array","items":{"$ref":"#/$defs/server"}},"callbacks":{"type":"object","additionalProperties":{"$ref":"#/$defs/callback"}},"deprecated":{"type":"boolean"},"x-deprecated-since":{"$ref":"#/$defs/date"},"x-sunset":{"$ref":"#/$defs/date"},"x-replaced-by":{"type":"string"},"x-stability-level":{"enum":["experimental","beta","stable"]}}},"callback":{"kind":"callbacks","if":{"required":["$ref"]},"then":{"$ref":"#/$defs/reference","properties":{"$ref":{"refersTo":"callbacks"}}},"else":{"title":"Callback Object","type":"object","patternProperties":{"^(?!x-)":{"$ref":"#/$defs/pathItem"}}}},"unserved":{"properties":{"$ref":{"if":{"type":"string","pattern":"^#\\/components\\/"},"then":{"refersTo":"any"}}},"additionalProperties":{"$ref":"#/$defs/unserved"},"items":{"$ref":"#/$defs/unserved"}},"date":{"type":"string","format":"date","advice":"write a date as YYYY-MM-DD"},"reference":{"title":"Reference Object","type":"object","additionalProperties":false,"ignored":"has no effect beside \"$ref\"","properties":{"$ref":{"type":"string"},"summary":{"type":"string"},"description":{"type":"string"}}},"parameter":{"kind":"parameters","if":{"required":["$ref"]},"then":{"$ref":"#/$defs/reference","properties":{"$ref":{"refersTo":"parameters"}}},"else":{"title":"Parameter Object","type":"object","required":["in","name"],"check":"parameter","additionalProperties":false,"properties":{"in":{"enum":["path","query","header","cookie"]},"name":{"type":"string","pattern":"^(?!(constructor|__(define|lookup)[GS]etter__|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toString|valueOf|__proto__|toLocaleString)$)","advice":"choose another name"},"description":{"type":"string"},"required":{"type":"boolean"},"deprecated":{"type":"boolean"},"allowEmptyValue":{"type":"boolean"},"allowReserved":{"type":"boolean"},"style":true,"explode":{"type":"boolean"},"schema":{"$ref":"#/$defs/schema"},"content":{"title":"content of a parameter","type":"object","minProperties":1,"maxProperties":1,"additionalProperties":false,"patternProperties":{"^application/([a-z0-9.-]+\\+)?json$":{"$ref":"#/$defs/mediaType","properties":{"itemSchema":{"not":{},"advice":"remove it"},"x-stream":{"not":{},"advice":"remove it: only bodies of requests are streamed"}}}},"advice":"describe one media type of JSON"},"example":true,"examples":{"$ref":"#/$defs/examples"}},"allOf":[{"if":{"required":["in"],"properties":{"in":{"const":"query"}}},"then":{"properties":{"name":{"pattern":".","advice":"choose another name"},"style":{"enum":["form","spaceDelimited","pipeDelimited","deepObject"]}}}},{"if":{"required":["in"],"properties":{"in":{"enum":["path","header"]}}},"then":{"properties":{"style":{"const":"simple"}}}},{"if":{"required":["in"],"properties":{"in":{"const":"cookie"}}},"then":{"properties":{"style":{"const":"form"}}}},{"if":{"required":["style"],"properties":{"style":{"enum":["spaceDelimited","pipeDelimited"]}}},"then":{"properties":{"explode":{"const":false}}}},{"if":{"required":["content"]},"then":{"properties":{"schema":{"not":{},"advice":"remove it or the content"},"style":{"not":{},"advice":"remove it or the content"},"explode":{"not":{},"advice":"remove it or the content"}}},"else":{"title":"Parameter Object","required":["schema"]}},{"if":{"required":["in"],"properties":{"in":{"const":"path"}}},"then":{"title":"Parameter Object","required":["required"],"properties":{"required":{"const":true}}}},{"if":{"required":["in"],"properties":{"in":{"const":"header"}}},"then":{"properties":{"name":{"$ref":"#/$defs/headerName"}}}}]}},"headerName":{"pattern":"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$","advice":"choose another name that HTTP allows for a header"},"header":{"kind":"headers","if":{"required":["$ref"]},"then":{"$ref":"#/$defs/reference","properties":{"$ref":{"refersTo":"headers"}}},"else":{"title":"Header Object","type":"object","required":["schema"],"check":"header","additionalProperties":false,"properties":{"description":{"type":"string"},"required":{"type":"boolean"},"deprecated":{"type":"boolean"},"style":{"const":"simple"},"explode":{"type":"boolean"},"schema":{"$ref":"#/$defs/schema"},"example":true,"examples":{"$ref":"#/$defs/examples"}}}},"examples":{"type":"object","additionalProperties":{"$ref":"#/$defs/example"}},"example":{"kind":"examples","if":{"required":["$ref"]},"then":{"$ref":"#/$defs/reference","properties":{"$ref":{"refersTo":"examples"}}},"else":{"title":"Example Object","type":"object","additionalProperties":false,"properties":{"summary":{"type":"string"},"description":{"type":"string"},"value":true,"dataValue":true,"serializedValue":{"type":"string"},"externalValue":{"type":"string"}}}},"requestBody":{"kind":"requestBodies","if":{"required":["$ref"]},"then":{"$ref":"#/$defs/reference","properties":{"$ref":{"refersTo":"requestBodies"}}},"else":{"title":"Request Body Object","check":"requestBody","type":"object","required":["content"],"additionalProperties":false,"properties":{"description":{"type":"string"},"required":{"type":"boolean"},"content":{"minProperties":1,"advice":"describe a media type","$ref":"#/$defs/content"},"x-max-bytes":true,"x-max-depth":{"type":"integer","minimum":1,"maximum":1000,"advice":"use an integer from 1 to 1000"}},"if":{"properties":{"content":{"additionalProperties":{"required":["x-stream"],"properties":{"x-stream":{"const":true}}}}}},"then":{"properties":{"x-max-bytes":{"type":"integer","minimum":1,"maximum":9007199254740991,"advice":"use an integer from 1 to 9007199254740991"}}},"else":{"properties":{"x-max-bytes":{"type":"integer","minimum":1,"maximum":536870888,"advice":"use an integer from 1 to 536870888"}}}}},"content":{"title":"content","type":"object","check":"content","additionalProperties":false,"patternProperties":{"^(\\*\\/\\*|[\\w!#$&^.+-]+\\/(\\*(\\+\\w+)?|[\\w!#$&^.+-]+))[ \\t]*(;[\\t -~]*)?$":{"$ref":"#/$defs/mediaType"}},"advice":"name a media type, or a range of them, such as \"image/*\""},"mediaType":{"kind":"mediaTypes","if":{"required":["$ref"]},"then":{"$ref":"#/$defs/reference","properties":{"$ref":{"refersTo":"mediaTypes"}}},"else":{"title":"Media Type Object","type":"object","additionalProperties":false,"properties":{"schema":{"$ref":"#/$defs/schema"},"itemSchema":{"$ref":"#/$defs/schema"},"example":true,"examples":{"$ref":"#/$defs/examples"},"x-stream":{"type":"boolean"},"encoding":{"type":"object","additionalProperties":{"title":"Encoding Object","type":"object","additionalProperties":false,"properties":{"contentType":{"type":"string"},"headers":{"$ref":"#/$defs/headers"},"style":{"enum":["form","spaceDelimited","pipeDelimited","deepObject"]},"explode":{"type":"boolean"},"allowReserved":{"type":"boolean"}}}}}}},"responses":{"title":"Responses Object","type":"object","check":"responses","minProperties":1,"additionalProperties":false,"patternProperties":{"^([1-5]([0-9]{2}|XX)|default)$":{"$ref":"#/$defs/response"}},"advice":"name a status from \"100\" to \"599\", a class from \"1XX\" to \"5XX\" or \"default\""},"response":{"kind":"responses","if":{"required":["$ref"]},"then":{"$ref":"#/$defs/reference","properties":{"$ref":{"refersTo":"responses"}}},"else":{"title":"Response Object","check":"response","type":"object","required":["description"],"additionalProperties":false,"properties":{"description":{"type":"string"},"summary":{"type":"string"},"content":{"$ref":"#/$defs/content","additionalProperties":{"properties":{"x-stream":{"not":{},"advice":"remove it: only bodies of requests are streamed"}}}},"links":{"type":"object","additionalProperties":{"$ref":"#/$defs/unserved"}},"headers":{"$ref":"#/$defs/headers"}}}},"headers":{"title":"headers","type":"object","check":"headers","propertyNames":{"pattern":"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$","advice":"choose another name that HTTP allows for a header"},"additionalProperties":{"$ref":"#/$defs/header"}},"security":{"type":"array","items":{"title":"Security Requirement Object","type":"object","check":"security","additionalProperties":{"type":"array","items":{"type":"string","pattern":"^[!#-[\\]-~]+$","advice":"use printable ASCII characters without spaces, quotes and backslashes"}}}},"securityScheme":{"kind":"securitySchemes","if":{"required":["$ref"]},"then":{"$ref":"#/$defs/reference","properties":{"$ref":{"refersTo":"securitySchemes"}}},"else":{"title":"Security Scheme Object","type":"object","required":["type"],"additionalProperties":false,"properties":{"type":{"enum":["http","apiKey","oauth2","openIdConnect","mutualTLS"]},"description":{"type":"string"},"deprecated":{"type":"boolean"},"scheme":{"type":"string","pattern":"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$","advice":"name an HTTP authentication scheme, such as \"bearer\""},"bearerFormat":{"type":"string"},"in":{"enum":["header","query","cookie"]},"name":{"type":"string","$ref":"#/$defs/headerName"},"flows":{"type":"object"},"openIdConnectUrl":{"type":"string"},"oauth2MetadataUrl":{"type":"string"}},"allOf":[{"if":{"required":["type"],"properties":{"type":{"const":"http"}}},"then":{"title":"Security Scheme Object","required":["scheme"]}},{"if":{"required":["type"],"properties":{"type":{"const":"apiKey"}}},"then":{"title":"Security Scheme Object","required":["in","name"]}},{"if":{"required":["type"],"properties":{"type":{"const":"oauth2"}}},"then":{"title":"Security Scheme Object","required":["flows"]}},{"if":{"required":["type"],"properties":{"type":{"const":"openIdConnect"}}},"then":{"title":"Security Scheme Object","required":["openIdConnectUrl"]}}]}},"schema":{"kind":"schemas","check":"schema","if":{"not":{"type":"boolean"}},"then":{"title":"Schema Object","type":"object","additionalProperties":false,"ignored":"is no keyword of JSON Schema, so it has no effect","properties":{"$ref":{"refersTo":"schemas","type":"string"},"$id":{"not":{},"advice":"remove it, and refer to schemas by their place in the document"},"$anchor":{"not":{},"advice":"remove it, and refer to schemas by their place in the document"},"$dynamicAnchor":{"not":{},"advice":"remove it, and refer to schemas by their place in the document"},"$dynamicRef":{"not":{},"advice":"remove it, and refer to schemas by their place in the document"},"$defs":{"$ref":"#/$defs/schemas"},"$comment":{"type":"string"},"$schema":{"type":"string","pattern":"^https://(spec\\.openapis\\.org/oas/3\\.[12]/dialect/.+|json-schema\\.org/draft/2020-12/schema#?)$","advice":"use JSON Schema 2020-12"},"title":{"type":"string"},"description":{"type":"string"},"deprecated":{"type":"boolean"},"readOnly":{"type":"boolean"},"writeOnly":{"type":"boolean"},"default":true,"example":true,"examples":{"type":"array"},"discriminator":{"title":"Discriminator Object","type":"object","required":["propertyName"],"additionalProperties":false,"properties":{"propertyName":{"type":"string"},"mapping":{"type":"object","additionalProperties":{"type":"string"}},"defaultMapping":{"type":"string"}}},"externalDocs":{"$ref":"#/$defs/externalDocs"},"xml":{"type":"object"},"contentEncoding":{"type":"string"},"contentMediaType":{"type":"string"},"contentSchema":{"$ref":"#/$defs/schema"},"type":{"if":{"type":"array"},"then":{"minItems":1,"items":{"$ref":"#/$defs/type"},"advice":"name a type"},"else":{"$ref":"#/$defs/type"}},"format":{"type":"string"},"enum":{"type":"array","minItems":1,"advice":"add a value"},"const":true,"minimum":{"$ref":"#/$defs/number"},"maximum":{"$ref":"#/$defs/number"},"nullable":{"type":"boolean"},"exclusiveMinimum":{"if":{"not":{"type":"boolean"}},"then":{"$ref":"#/$defs/number"}},"exclusiveMaximum":{"if":{"not":{"type":"boolean"}},"then":{"$ref":"#/$defs/number"}},"multipleOf":{"$ref":"#/$defs/number","exclusiveMinimum":0,"advice":"write a number above 0"},"minLength":{"$ref":"#/$defs/count"},"maxLength":{"$ref":"#/$defs/count"},"pattern":{"type":"string","format":"regex","advice":"write a regular expression of JavaScript"},"items":{"$ref":"#/$defs/schema"},"prefixItems":{"$ref":"#/$defs/parts"},"contains":{"$ref":"#/$defs/schema"},"minContains":{"$ref":"#/$defs/count"},"maxContains":{"$ref":"#/$defs/count"},"minItems":{"$ref":"#/$defs/count"},"maxItems":{"$ref":"#/$defs/count"},"uniqueItems":{"type":"boolean"},"unevaluatedItems":{"$ref":"#/$defs/schema"},"properties":{"title":"properties","propertyNames":{"type":"string","pattern":"^(?!(constructor|__(define|lookup)[GS]etter__|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toString|valueOf|__proto__|toLocaleString)$)","advice":"choose another name"},"$ref":"#/$defs/schemas"},"patternProperties":{"propertyNames":{"type":"string","format":"regex","advice":"write a regular expression of JavaScript"},"$ref":"#/$defs/schemas"},"additionalProperties":{"$ref":"#/$defs/schema"},"propertyNames":{"$ref":"#/$defs/schema"},"unevaluatedProperties":{"$ref":"#/$defs/schema"},"required":{"type":"array","uniqueItems":true,"advice":"list each property once","items":{"type":"string"}},"minProperties":{"$ref":"#/$defs/count"},"maxProperties":{"$ref":"#/$defs/count"},"dependentRequired":{"type":"object","additionalProperties":{"type":"array","items":{"type":"string"}}},"dependentSchemas":{"$ref":"#/$defs/schemas"},"allOf":{"$ref":"#/$defs/parts"},"anyOf":{"$ref":"#/$defs/parts"},"oneOf":{"$ref":"#/$defs/parts"},"not":{"$ref":"#/$defs/schema"},"if":{"$ref":"#/$defs/schema"},"then":{"$ref":"#/$defs/schema"},"else":{"$ref":"#/$defs/schema"},"x-extensible-enum":{"type":"array"}}}},"schemas":{"type":"object","additionalProperties":{"$ref":"#/$defs/schema"}},"parts":{"type":"array","minItems":1,"items":{"$ref":"#/$defs/schema"},"advice":"add a schema"},"type":{"enum":["null","boolean","object","array","number","integer","string"]},"number":{"not":{"type":["boolean","object","array","string","null"]},"advice":"write a number"},"count":{"type":"integer","minimum":0,"advice":"use an integer from 0 to 9007199254740991"}}};
const schema1 = {"title":"OpenAPI Object","type":"object","required":["openapi","info"],"if":{"properties":{"components":false,"webhooks":false}},"then":{"title":"OpenAPI Object","required":["paths"]},"additionalProperties":false,"properties":{"openapi":{"type":"string","pattern":"^3\\.[012]\\.\\d+$","advice":"use a version of OpenAPI from 3.0 to 3.2"},"$self":{"type":"string"},"jsonSchemaDialect":{"type":"string","pattern":"^https://(spec\\.openapis\\.org/oas/3\\.[12]/dialect/.+|json-schema\\.org/draft/2020-12/schema#?)$","advice":"use JSON Schema 2020-12"},"info":{"$ref":"#/$defs/info"},"paths":{"$ref":"#/$defs/paths"},"servers":{"type":"array","items":{"$ref":"#/$defs/server"}},"tags":{"type":"array","items":{"$ref":"#/$defs/tag"}},"externalDocs":{"$ref":"#/$defs/externalDocs"},"webhooks":{"type":"object","additionalProperties":{"$ref":"#/$defs/pathItem"}},"security":{"$ref":"#/$defs/security"},"components":{"$ref":"#/$defs/components"}}};
const func0 = Object.prototype.hasOwnProperty;
const pattern0 = new RegExp("^3\\.[012]\\.\\d+$", "u");
const pattern1 = new RegExp("^https://(spec\\.openapis\\.org/oas/3\\.[12]/dialect/.+|json-schema\\.org/draft/2020-12/schema#?)$", "u");
const schema2 = {"title":"Info Object","type":"object","required":["title","version"],"additionalProperties":false,"properties":{"title":{"type":"string"},"version":{"type":"string"},"summary":{"type":"string"},"description":{"type":"string"},"termsOfService":{"type":"string"},"contact":{"title":"Contact Object","type":"object","additionalProperties":false,"properties":{"name":{"type":"string"},"url":{"type":"string"},"email":{"type":"string"}}},"license":{"title":"License Object","type":"object","required":["name"],"additionalProperties":false,"properties":{"name":{"type":"string"},"identifier":{"type":"string"},"url":{"type":"string"}}}}};

function validate2(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate2.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.title === undefined) || (!(func0.call(data, "title")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "title"},schema:schema2.required,parentSchema:schema2,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.version === undefined) || (!(func0.call(data, "version")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "version"},schema:schema2.required,parentSchema:schema2,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!(((((((key0 === "title") || (key0 === "version")) || (key0 === "summary")) || (key0 === "description")) || (key0 === "termsOfService")) || (key0 === "contact")) || (key0 === "license"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema2,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.title !== undefined && func0.call(data, "title")){
let data0 = data.title;
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/title",schemaPath:"#/properties/title/type",keyword:"type",params:{type: "string"},schema:schema2.properties.title.type,parentSchema:schema2.properties.title,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.version !== undefined && func0.call(data, "version")){
let data1 = data.version;
if(typeof data1 !== "string"){
const err4 = {instancePath:instancePath+"/version",schemaPath:"#/properties/version/type",keyword:"type",params:{type: "string"},schema:schema2.properties.version.type,parentSchema:schema2.properties.version,data:data1};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.summary !== undefined && func0.call(data, "summary")){
let data2 = data.summary;
if(typeof data2 !== "string"){
const err5 = {instancePath:instancePath+"/summary",schemaPath:"#/properties/summary/type",keyword:"type",params:{type: "string"},schema:schema2.properties.summary.type,parentSchema:schema2.properties.summary,data:data2};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
let data3 = data.description;
if(typeof data3 !== "string"){
const err6 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},schema:schema2.properties.description.type,parentSchema:schema2.properties.description,data:data3};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.termsOfService !== undefined && func0.call(data, "termsOfService")){
let data4 = data.termsOfService;
if(typeof data4 !== "string"){
const err7 = {instancePath:instancePath+"/termsOfService",schemaPath:"#/properties/termsOfService/type",keyword:"type",params:{type: "string"},schema:schema2.properties.termsOfService.type,parentSchema:schema2.properties.termsOfService,data:data4};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.contact !== undefined && func0.call(data, "contact")){
let data5 = data.contact;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
for(const key1 of Object.keys(data5)){
if(!(((key1 === "name") || (key1 === "url")) || (key1 === "email"))){
const err8 = {instancePath:instancePath+"/contact",schemaPath:"#/properties/contact/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},schema:false,parentSchema:schema2.properties.contact,data:data5};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data5.name !== undefined && func0.call(data5, "name")){
let data6 = data5.name;
if(typeof data6 !== "string"){
const err9 = {instancePath:instancePath+"/contact/name",schemaPath:"#/properties/contact/properties/name/type",keyword:"type",params:{type: "string"},schema:schema2.properties.contact.properties.name.type,parentSchema:schema2.properties.contact.properties.name,data:data6};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data5.url !== undefined && func0.call(data5, "url")){
let data7 = data5.url;
if(typeof data7 !== "string"){
const err10 = {instancePath:instancePath+"/contact/url",schemaPath:"#/properties/contact/properties/url/type",keyword:"type",params:{type: "string"},schema:schema2.properties.contact.properties.url.type,parentSchema:schema2.properties.contact.properties.url,data:data7};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data5.email !== undefined && func0.call(data5, "email")){
let data8 = data5.email;
if(typeof data8 !== "string"){
const err11 = {instancePath:instancePath+"/contact/email",schemaPath:"#/properties/contact/properties/email/type",keyword:"type",params:{type: "string"},schema:schema2.properties.contact.properties.email.type,parentSchema:schema2.properties.contact.properties.email,data:data8};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath:instancePath+"/contact",schemaPath:"#/properties/contact/type",keyword:"type",params:{type: "object"},schema:schema2.properties.contact.type,parentSchema:schema2.properties.contact,data:data5};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.license !== undefined && func0.call(data, "license")){
let data9 = data.license;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if((data9.name === undefined) || (!(func0.call(data9, "name")))){
const err13 = {instancePath:instancePath+"/license",schemaPath:"#/properties/license/required",keyword:"required",params:{missingProperty: "name"},schema:schema2.properties.license.required,parentSchema:schema2.properties.license,data:data9};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
for(const key2 of Object.keys(data9)){
if(!(((key2 === "name") || (key2 === "identifier")) || (key2 === "url"))){
const err14 = {instancePath:instancePath+"/license",schemaPath:"#/properties/license/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},schema:false,parentSchema:schema2.properties.license,data:data9};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data9.name !== undefined && func0.call(data9, "name")){
let data10 = data9.name;
if(typeof data10 !== "string"){
const err15 = {instancePath:instancePath+"/license/name",schemaPath:"#/properties/license/properties/name/type",keyword:"type",params:{type: "string"},schema:schema2.properties.license.properties.name.type,parentSchema:schema2.properties.license.properties.name,data:data10};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data9.identifier !== undefined && func0.call(data9, "identifier")){
let data11 = data9.identifier;
if(typeof data11 !== "string"){
const err16 = {instancePath:instancePath+"/license/identifier",schemaPath:"#/properties/license/properties/identifier/type",keyword:"type",params:{type: "string"},schema:schema2.properties.license.properties.identifier.type,parentSchema:schema2.properties.license.properties.identifier,data:data11};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data9.url !== undefined && func0.call(data9, "url")){
let data12 = data9.url;
if(typeof data12 !== "string"){
const err17 = {instancePath:instancePath+"/license/url",schemaPath:"#/properties/license/properties/url/type",keyword:"type",params:{type: "string"},schema:schema2.properties.license.properties.url.type,parentSchema:schema2.properties.license.properties.url,data:data12};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
else {
const err18 = {instancePath:instancePath+"/license",schemaPath:"#/properties/license/type",keyword:"type",params:{type: "object"},schema:schema2.properties.license.type,parentSchema:schema2.properties.license,data:data9};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
else {
const err19 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},schema:schema2.type,parentSchema:schema2,data};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
validate2.errors = vErrors;
return errors === 0;
}
validate2.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema3 = {"title":"Paths Object","type":"object","check":"paths","additionalProperties":false,"patternProperties":{"^\\/(?!.*\\}\\{)(?!.*(\\{[^{}]+\\}).*\\1)((?!\\.{1,2}(\\/|$))(\\{[^{}/]+\\}|[A-Za-z0-9._~!$&'()+,;=:@-])+(\\/|$))*$":{"$ref":"#/$defs/pathItem"}},"advice":"begin it with \"/\", and make each segment of plain text and {parameters} with text between, whose names differ, without braces and \"/\""};
const pattern2 = new RegExp("^\\/(?!.*\\}\\{)(?!.*(\\{[^{}]+\\}).*\\1)((?!\\.{1,2}(\\/|$))(\\{[^{}/]+\\}|[A-Za-z0-9._~!$&'()+,;=:@-])+(\\/|$))*$", "u");
const schema4 = {"title":"Path Item Object","type":"object","kind":"pathItems","additionalProperties":false,"properties":{"$ref":{"refersTo":"pathItems","type":"string"},"summary":{"type":"string"},"description":{"type":"string"},"parameters":{"type":"array","items":{"$ref":"#/$defs/parameter"}},"servers":{"type":"array","items":{"$ref":"#/$defs/server"}},"head":{"$ref":"#/$defs/operation","properties":{"requestBody":{"not":{},"advice":"remove it: HEAD and TRACE have no body (RFC 9110, section 9.3)"}}},"get":{"$ref":"#/$defs/operation"},"put":{"$ref":"#/$defs/operation"},"post":{"$ref":"#/$defs/operation"},"delete":{"$ref":"#/$defs/operation"},"patch":{"$ref":"#/$defs/operation"},"options":{"$ref":"#/$defs/operation"},"trace":{"$ref":"#/$defs/operation","properties":{"requestBody":{"not":{},"advice":"remove it: HEAD and TRACE have no body (RFC 9110, section 9.3)"}}},"query":{"$ref":"#/$defs/operation"},"additionalOperations":{"title":"additionalOperations","type":"object","additionalProperties":{"$ref":"#/$defs/operation"},"propertyNames":{"enum":["ACL","BIND","CHECKOUT","COPY","LINK","LOCK","M-SEARCH","MERGE","MKACTIVITY","MKCALENDAR","MKCOL","MOVE","NOTIFY","PROPFIND","PROPPATCH","PURGE","REBIND","REPORT","SEARCH","SOURCE","SUBSCRIBE","UNBIND","UNLINK","UNLOCK","UNSUBSCRIBE"],"advice":"use a method of HTTP that Node.js receives and that has no field of its own"}}}};
const schema5 = {"kind":"parameters","if":{"required":["$ref"]},"then":{"$ref":"#/$defs/reference","properties":{"$ref":{"refersTo":"parameters"}}},"else":{"title":"Parameter Object","type":"object","required":["in","name"],"check":"parameter","additionalProperties":false,"properties":{"in":{"enum":["path","query","header","cookie"]},"name":{"type":"string","pattern":"^(?!(constructor|__(define|lookup)[GS]etter__|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toString|valueOf|__proto__|toLocaleString)$)","advice":"choose another name"},"description":{"type":"string"},"required":{"type":"boolean"},"deprecated":{"type":"boolean"},"allowEmptyValue":{"type":"boolean"},"allowReserved":{"type":"boolean"},"style":true,"explode":{"type":"boolean"},"schema":{"$ref":"#/$defs/schema"},"content":{"title":"content of a parameter","type":"object","minProperties":1,"maxProperties":1,"additionalProperties":false,"patternProperties":{"^application/([a-z0-9.-]+\\+)?json$":{"$ref":"#/$defs/mediaType","properties":{"itemSchema":{"not":{},"advice":"remove it"},"x-stream":{"not":{},"advice":"remove it: only bodies of requests are streamed"}}}},"advice":"describe one media type of JSON"},"example":true,"examples":{"$ref":"#/$defs/examples"}},"allOf":[{"if":{"required":["in"],"properties":{"in":{"const":"query"}}},"then":{"properties":{"name":{"pattern":".","advice":"choose another name"},"style":{"enum":["form","spaceDelimited","pipeDelimited","deepObject"]}}}},{"if":{"required":["in"],"properties":{"in":{"enum":["path","header"]}}},"then":{"properties":{"style":{"const":"simple"}}}},{"if":{"required":["in"],"properties":{"in":{"const":"cookie"}}},"then":{"properties":{"style":{"const":"form"}}}},{"if":{"required":["style"],"properties":{"style":{"enum":["spaceDelimited","pipeDelimited"]}}},"then":{"properties":{"explode":{"const":false}}}},{"if":{"required":["content"]},"then":{"properties":{"schema":{"not":{},"advice":"remove it or the content"},"style":{"not":{},"advice":"remove it or the content"},"explode":{"not":{},"advice":"remove it or the content"}}},"else":{"title":"Parameter Object","required":["schema"]}},{"if":{"required":["in"],"properties":{"in":{"const":"path"}}},"then":{"title":"Parameter Object","required":["required"],"properties":{"required":{"const":true}}}},{"if":{"required":["in"],"properties":{"in":{"const":"header"}}},"then":{"properties":{"name":{"$ref":"#/$defs/headerName"}}}}]}};
const schema6 = {"title":"Reference Object","type":"object","additionalProperties":false,"ignored":"has no effect beside \"$ref\"","properties":{"$ref":{"type":"string"},"summary":{"type":"string"},"description":{"type":"string"}}};

function validate7(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate7.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!(((key0 === "$ref") || (key0 === "summary")) || (key0 === "description"))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema6,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.$ref !== undefined && func0.call(data, "$ref")){
let data0 = data.$ref;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/$ref",schemaPath:"#/properties/%24ref/type",keyword:"type",params:{type: "string"},schema:schema6.properties.$ref.type,parentSchema:schema6.properties.$ref,data:data0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.summary !== undefined && func0.call(data, "summary")){
let data1 = data.summary;
if(typeof data1 !== "string"){
const err2 = {instancePath:instancePath+"/summary",schemaPath:"#/properties/summary/type",keyword:"type",params:{type: "string"},schema:schema6.properties.summary.type,parentSchema:schema6.properties.summary,data:data1};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
let data2 = data.description;
if(typeof data2 !== "string"){
const err3 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},schema:schema6.properties.description.type,parentSchema:schema6.properties.description,data:data2};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},schema:schema6.type,parentSchema:schema6,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate7.errors = vErrors;
return errors === 0;
}
validate7.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema7 = {"pattern":"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$","advice":"choose another name that HTTP allows for a header"};
const pattern5 = new RegExp("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$", "u");

function validate9(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate9.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!pattern5.test(data)){
const err0 = {instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"},schema:"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",parentSchema:schema7,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
validate9.errors = vErrors;
return errors === 0;
}
validate9.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema8 = {"kind":"schemas","check":"schema","if":{"not":{"type":"boolean"}},"then":{"title":"Schema Object","type":"object","additionalProperties":false,"ignored":"is no keyword of JSON Schema, so it has no effect","properties":{"$ref":{"refersTo":"schemas","type":"string"},"$id":{"not":{},"advice":"remove it, and refer to schemas by their place in the document"},"$anchor":{"not":{},"advice":"remove it, and refer to schemas by their place in the document"},"$dynamicAnchor":{"not":{},"advice":"remove it, and refer to schemas by their place in the document"},"$dynamicRef":{"not":{},"advice":"remove it, and refer to schemas by their place in the document"},"$defs":{"$ref":"#/$defs/schemas"},"$comment":{"type":"string"},"$schema":{"type":"string","pattern":"^https://(spec\\.openapis\\.org/oas/3\\.[12]/dialect/.+|json-schema\\.org/draft/2020-12/schema#?)$","advice":"use JSON Schema 2020-12"},"title":{"type":"string"},"description":{"type":"string"},"deprecated":{"type":"boolean"},"readOnly":{"type":"boolean"},"writeOnly":{"type":"boolean"},"default":true,"example":true,"examples":{"type":"array"},"discriminator":{"title":"Discriminator Object","type":"object","required":["propertyName"],"additionalProperties":false,"properties":{"propertyName":{"type":"string"},"mapping":{"type":"object","additionalProperties":{"type":"string"}},"defaultMapping":{"type":"string"}}},"externalDocs":{"$ref":"#/$defs/externalDocs"},"xml":{"type":"object"},"contentEncoding":{"type":"string"},"contentMediaType":{"type":"string"},"contentSchema":{"$ref":"#/$defs/schema"},"type":{"if":{"type":"array"},"then":{"minItems":1,"items":{"$ref":"#/$defs/type"},"advice":"name a type"},"else":{"$ref":"#/$defs/type"}},"format":{"type":"string"},"enum":{"type":"array","minItems":1,"advice":"add a value"},"const":true,"minimum":{"$ref":"#/$defs/number"},"maximum":{"$ref":"#/$defs/number"},"nullable":{"type":"boolean"},"exclusiveMinimum":{"if":{"not":{"type":"boolean"}},"then":{"$ref":"#/$defs/number"}},"exclusiveMaximum":{"if":{"not":{"type":"boolean"}},"then":{"$ref":"#/$defs/number"}},"multipleOf":{"$ref":"#/$defs/number","exclusiveMinimum":0,"advice":"write a number above 0"},"minLength":{"$ref":"#/$defs/count"},"maxLength":{"$ref":"#/$defs/count"},"pattern":{"type":"string","format":"regex","advice":"write a regular expression of JavaScript"},"items":{"$ref":"#/$defs/schema"},"prefixItems":{"$ref":"#/$defs/parts"},"contains":{"$ref":"#/$defs/schema"},"minContains":{"$ref":"#/$defs/count"},"maxContains":{"$ref":"#/$defs/count"},"minItems":{"$ref":"#/$defs/count"},"maxItems":{"$ref":"#/$defs/count"},"uniqueItems":{"type":"boolean"},"unevaluatedItems":{"$ref":"#/$defs/schema"},"properties":{"title":"properties","propertyNames":{"type":"string","pattern":"^(?!(constructor|__(define|lookup)[GS]etter__|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toString|valueOf|__proto__|toLocaleString)$)","advice":"choose another name"},"$ref":"#/$defs/schemas"},"patternProperties":{"propertyNames":{"type":"string","format":"regex","advice":"write a regular expression of JavaScript"},"$ref":"#/$defs/schemas"},"additionalProperties":{"$ref":"#/$defs/schema"},"propertyNames":{"$ref":"#/$defs/schema"},"unevaluatedProperties":{"$ref":"#/$defs/schema"},"required":{"type":"array","uniqueItems":true,"advice":"list each property once","items":{"type":"string"}},"minProperties":{"$ref":"#/$defs/count"},"maxProperties":{"$ref":"#/$defs/count"},"dependentRequired":{"type":"object","additionalProperties":{"type":"array","items":{"type":"string"}}},"dependentSchemas":{"$ref":"#/$defs/schemas"},"allOf":{"$ref":"#/$defs/parts"},"anyOf":{"$ref":"#/$defs/parts"},"oneOf":{"$ref":"#/$defs/parts"},"not":{"$ref":"#/$defs/schema"},"if":{"$ref":"#/$defs/schema"},"then":{"$ref":"#/$defs/schema"},"else":{"$ref":"#/$defs/schema"},"x-extensible-enum":{"type":"array"}}}};
const schema9 = {"type":"object","additionalProperties":{"$ref":"#/$defs/schema"}};
const wrapper0 = {validate: validate11};

function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate12.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!(wrapper0.validate.call(this, data[key0], {instancePath:instancePath+"/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data,parentDataProperty:key0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
}
else {
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},schema:schema9.type,parentSchema:schema9,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate12.errors = vErrors;
return errors === 0;
}
validate12.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema10 = {"title":"External Documentation Object","type":"object","required":["url"],"additionalProperties":false,"properties":{"url":{"type":"string"},"description":{"type":"string"}}};

function validate14(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate14.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.url === undefined) || (!(func0.call(data, "url")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "url"},schema:schema10.required,parentSchema:schema10,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!((key0 === "url") || (key0 === "description"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema10,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.url !== undefined && func0.call(data, "url")){
let data0 = data.url;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/url",schemaPath:"#/properties/url/type",keyword:"type",params:{type: "string"},schema:schema10.properties.url.type,parentSchema:schema10.properties.url,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
let data1 = data.description;
if(typeof data1 !== "string"){
const err3 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},schema:schema10.properties.description.type,parentSchema:schema10.properties.description,data:data1};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},schema:schema10.type,parentSchema:schema10,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate14.errors = vErrors;
return errors === 0;
}
validate14.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema11 = {"enum":["null","boolean","object","array","number","integer","string"]};

function validate16(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate16.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(((((((data === "null") || (data === "boolean")) || (data === "object")) || (data === "array")) || (data === "number")) || (data === "integer")) || (data === "string"))){
const err0 = {instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema11.enum},schema:schema11.enum,parentSchema:schema11,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate16.errors = vErrors;
return errors === 0;
}
validate16.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema12 = {"not":{"type":["boolean","object","array","string","null"]},"advice":"write a number"};

function validate19(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate19.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
const _errs1 = errors;
if(((typeof data != "object") && (typeof data !== "boolean")) && (typeof data !== "string")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var valid0 = _errs1 === errors;
if(valid0){
const err1 = {instancePath,schemaPath:"#/not",keyword:"not",params:{},schema:schema12.not,parentSchema:schema12,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate19.errors = vErrors;
return errors === 0;
}
validate19.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema13 = {"type":"integer","minimum":0,"advice":"use an integer from 0 to 9007199254740991"};

function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate25.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!((typeof data == "number") && (!(data % 1) && !isNaN(data)))){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},schema:schema13.type,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(typeof data == "number"){
if(data < 0 || isNaN(data)){
const err1 = {instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},schema:0,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
validate25.errors = vErrors;
return errors === 0;
}
validate25.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema14 = {"type":"array","minItems":1,"items":{"$ref":"#/$defs/schema"},"advice":"add a schema"};

function validate28(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate28.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(Array.isArray(data)){
if(data.length < 1){
const err0 = {instancePath,schemaPath:"#/minItems",keyword:"minItems",params:{limit: 1},schema:1,parentSchema:schema14,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
if(!(wrapper0.validate.call(this, data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},schema:schema14.type,parentSchema:schema14,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate28.errors = vErrors;
return errors === 0;
}
validate28.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

const pattern6 = new RegExp("^(?!(constructor|__(define|lookup)[GS]etter__|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toString|valueOf|__proto__|toLocaleString)$)", "u");

function validate11(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate11.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = true;
const _errs1 = errors;
const _errs2 = errors;
const _errs3 = errors;
if(typeof data !== "boolean"){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var valid1 = _errs3 === errors;
if(valid1){
const err1 = {};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
else {
errors = _errs2;
if(vErrors !== null){
if(_errs2){
vErrors.length = _errs2;
}
else {
vErrors = null;
}
}
}
var _valid0 = _errs1 === errors;
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs5 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!(func0.call(schema8.then.properties, key0))){
const err2 = {instancePath,schemaPath:"#/then/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema8.then,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.$ref !== undefined && func0.call(data, "$ref")){
let data0 = data.$ref;
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/$ref",schemaPath:"#/then/properties/%24ref/type",keyword:"type",params:{type: "string"},schema:schema8.then.properties.$ref.type,parentSchema:schema8.then.properties.$ref,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
this.references.push({ $ref: data0, kind: "schemas", pointer: instancePath+"/$ref" });
}
if(data.$id !== undefined && func0.call(data, "$id")){
const err4 = {instancePath:instancePath+"/$id",schemaPath:"#/then/properties/%24id/not",keyword:"not",params:{},schema:schema8.then.properties.$id.not,parentSchema:schema8.then.properties.$id,data:data.$id};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.$anchor !== undefined && func0.call(data, "$anchor")){
const err5 = {instancePath:instancePath+"/$anchor",schemaPath:"#/then/properties/%24anchor/not",keyword:"not",params:{},schema:schema8.then.properties.$anchor.not,parentSchema:schema8.then.properties.$anchor,data:data.$anchor};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.$dynamicAnchor !== undefined && func0.call(data, "$dynamicAnchor")){
const err6 = {instancePath:instancePath+"/$dynamicAnchor",schemaPath:"#/then/properties/%24dynamicAnchor/not",keyword:"not",params:{},schema:schema8.then.properties.$dynamicAnchor.not,parentSchema:schema8.then.properties.$dynamicAnchor,data:data.$dynamicAnchor};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.$dynamicRef !== undefined && func0.call(data, "$dynamicRef")){
const err7 = {instancePath:instancePath+"/$dynamicRef",schemaPath:"#/then/properties/%24dynamicRef/not",keyword:"not",params:{},schema:schema8.then.properties.$dynamicRef.not,parentSchema:schema8.then.properties.$dynamicRef,data:data.$dynamicRef};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data.$defs !== undefined && func0.call(data, "$defs")){
if(!(validate12.call(this, data.$defs, {instancePath:instancePath+"/$defs",parentData:data,parentDataProperty:"$defs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate12.errors : vErrors.concat(validate12.errors);
errors = vErrors.length;
}
}
if(data.$comment !== undefined && func0.call(data, "$comment")){
let data6 = data.$comment;
if(typeof data6 !== "string"){
const err8 = {instancePath:instancePath+"/$comment",schemaPath:"#/then/properties/%24comment/type",keyword:"type",params:{type: "string"},schema:schema8.then.properties.$comment.type,parentSchema:schema8.then.properties.$comment,data:data6};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.$schema !== undefined && func0.call(data, "$schema")){
let data7 = data.$schema;
if(typeof data7 === "string"){
if(!pattern1.test(data7)){
const err9 = {instancePath:instancePath+"/$schema",schemaPath:"#/then/properties/%24schema/pattern",keyword:"pattern",params:{pattern: "^https://(spec\\.openapis\\.org/oas/3\\.[12]/dialect/.+|json-schema\\.org/draft/2020-12/schema#?)$"},schema:"^https://(spec\\.openapis\\.org/oas/3\\.[12]/dialect/.+|json-schema\\.org/draft/2020-12/schema#?)$",parentSchema:schema8.then.properties.$schema,data:data7};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/$schema",schemaPath:"#/then/properties/%24schema/type",keyword:"type",params:{type: "string"},schema:schema8.then.properties.$schema.type,parentSchema:schema8.then.properties.$schema,data:data7};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.title !== undefined && func0.call(data, "title")){
let data8 = data.title;
if(typeof data8 !== "string"){
const err11 = {instancePath:instancePath+"/title",schemaPath:"#/then/properties/title/type",keyword:"type",params:{type: "string"},schema:schema8.then.properties.title.type,parentSchema:schema8.then.properties.title,data:data8};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
let data9 = data.description;
if(typeof data9 !== "string"){
const err12 = {instancePath:instancePath+"/description",schemaPath:"#/then/properties/description/type",keyword:"type",params:{type: "string"},schema:schema8.then.properties.description.type,parentSchema:schema8.then.properties.description,data:data9};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.deprecated !== undefined && func0.call(data, "deprecated")){
let data10 = data.deprecated;
if(typeof data10 !== "boolean"){
const err13 = {instancePath:instancePath+"/deprecated",schemaPath:"#/then/properties/deprecated/type",keyword:"type",params:{type: "boolean"},schema:schema8.then.properties.deprecated.type,parentSchema:schema8.then.properties.deprecated,data:data10};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.readOnly !== undefined && func0.call(data, "readOnly")){
let data11 = data.readOnly;
if(typeof data11 !== "boolean"){
const err14 = {instancePath:instancePath+"/readOnly",schemaPath:"#/then/properties/readOnly/type",keyword:"type",params:{type: "boolean"},schema:schema8.then.properties.readOnly.type,parentSchema:schema8.then.properties.readOnly,data:data11};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.writeOnly !== undefined && func0.call(data, "writeOnly")){
let data12 = data.writeOnly;
if(typeof data12 !== "boolean"){
const err15 = {instancePath:instancePath+"/writeOnly",schemaPath:"#/then/properties/writeOnly/type",keyword:"type",params:{type: "boolean"},schema:schema8.then.properties.writeOnly.type,parentSchema:schema8.then.properties.writeOnly,data:data12};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.examples !== undefined && func0.call(data, "examples")){
let data13 = data.examples;
if(!(Array.isArray(data13))){
const err16 = {instancePath:instancePath+"/examples",schemaPath:"#/then/properties/examples/type",keyword:"type",params:{type: "array"},schema:schema8.then.properties.examples.type,parentSchema:schema8.then.properties.examples,data:data13};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.discriminator !== undefined && func0.call(data, "discriminator")){
let data14 = data.discriminator;
if(data14 && typeof data14 == "object" && !Array.isArray(data14)){
if((data14.propertyName === undefined) || (!(func0.call(data14, "propertyName")))){
const err17 = {instancePath:instancePath+"/discriminator",schemaPath:"#/then/properties/discriminator/required",keyword:"required",params:{missingProperty: "propertyName"},schema:schema8.then.properties.discriminator.required,parentSchema:schema8.then.properties.discriminator,data:data14};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
for(const key1 of Object.keys(data14)){
if(!(((key1 === "propertyName") || (key1 === "mapping")) || (key1 === "defaultMapping"))){
const err18 = {instancePath:instancePath+"/discriminator",schemaPath:"#/then/properties/discriminator/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},schema:false,parentSchema:schema8.then.properties.discriminator,data:data14};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data14.propertyName !== undefined && func0.call(data14, "propertyName")){
let data15 = data14.propertyName;
if(typeof data15 !== "string"){
const err19 = {instancePath:instancePath+"/discriminator/propertyName",schemaPath:"#/then/properties/discriminator/properties/propertyName/type",keyword:"type",params:{type: "string"},schema:schema8.then.properties.discriminator.properties.propertyName.type,parentSchema:schema8.then.properties.discriminator.properties.propertyName,data:data15};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data14.mapping !== undefined && func0.call(data14, "mapping")){
let data16 = data14.mapping;
if(data16 && typeof data16 == "object" && !Array.isArray(data16)){
for(const key2 of Object.keys(data16)){
let data17 = data16[key2];
if(typeof data17 !== "string"){
const err20 = {instancePath:instancePath+"/discriminator/mapping/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/then/properties/discriminator/properties/mapping/additionalProperties/type",keyword:"type",params:{type: "string"},schema:schema8.then.properties.discriminator.properties.mapping.additionalProperties.type,parentSchema:schema8.then.properties.discriminator.properties.mapping.additionalProperties,data:data17};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
}
else {
const err21 = {instancePath:instancePath+"/discriminator/mapping",schemaPath:"#/then/properties/discriminator/properties/mapping/type",keyword:"type",params:{type: "object"},schema:schema8.then.properties.discriminator.properties.mapping.type,parentSchema:schema8.then.properties.discriminator.properties.mapping,data:data16};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data14.defaultMapping !== undefined && func0.call(data14, "defaultMapping")){
let data18 = data14.defaultMapping;
if(typeof data18 !== "string"){
const err22 = {instancePath:instancePath+"/discriminator/defaultMapping",schemaPath:"#/then/properties/discriminator/properties/defaultMapping/type",keyword:"type",params:{type: "string"},schema:schema8.then.properties.discriminator.properties.defaultMapping.type,parentSchema:schema8.then.properties.discriminator.properties.defaultMapping,data:data18};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
else {
const err23 = {instancePath:instancePath+"/discriminator",schemaPath:"#/then/properties/discriminator/type",keyword:"type",params:{type: "object"},schema:schema8.then.properties.discriminator.type,parentSchema:schema8.then.properties.discriminator,data:data14};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.externalDocs !== undefined && func0.call(data, "externalDocs")){
if(!(validate14.call(this, data.externalDocs, {instancePath:instancePath+"/externalDocs",parentData:data,parentDataProperty:"externalDocs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate14.errors : vErrors.concat(validate14.errors);
errors = vErrors.length;
}
}
if(data.xml !== undefined && func0.call(data, "xml")){
let data20 = data.xml;
if(!(data20 && typeof data20 == "object" && !Array.isArray(data20))){
const err24 = {instancePath:instancePath+"/xml",schemaPath:"#/then/properties/xml/type",keyword:"type",params:{type: "object"},schema:schema8.then.properties.xml.type,parentSchema:schema8.then.properties.xml,data:data20};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data.contentEncoding !== undefined && func0.call(data, "contentEncoding")){
let data21 = data.contentEncoding;
if(typeof data21 !== "string"){
const err25 = {instancePath:instancePath+"/contentEncoding",schemaPath:"#/then/properties/contentEncoding/type",keyword:"type",params:{type: "string"},schema:schema8.then.properties.contentEncoding.type,parentSchema:schema8.then.properties.contentEncoding,data:data21};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.contentMediaType !== undefined && func0.call(data, "contentMediaType")){
let data22 = data.contentMediaType;
if(typeof data22 !== "string"){
const err26 = {instancePath:instancePath+"/contentMediaType",schemaPath:"#/then/properties/contentMediaType/type",keyword:"type",params:{type: "string"},schema:schema8.then.properties.contentMediaType.type,parentSchema:schema8.then.properties.contentMediaType,data:data22};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data.contentSchema !== undefined && func0.call(data, "contentSchema")){
if(!(wrapper0.validate.call(this, data.contentSchema, {instancePath:instancePath+"/contentSchema",parentData:data,parentDataProperty:"contentSchema",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data.type !== undefined && func0.call(data, "type")){
let data24 = data.type;
const _errs56 = errors;
let valid5 = true;
const _errs57 = errors;
if(!(Array.isArray(data24))){
const err27 = {};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
var _valid1 = _errs57 === errors;
errors = _errs56;
if(vErrors !== null){
if(_errs56){
vErrors.length = _errs56;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid1){
const _errs59 = errors;
if(Array.isArray(data24)){
if(data24.length < 1){
const err28 = {instancePath:instancePath+"/type",schemaPath:"#/then/properties/type/then/minItems",keyword:"minItems",params:{limit: 1},schema:1,parentSchema:schema8.then.properties.type.then,data:data24};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
const len0 = data24.length;
for(let i0=0; i0<len0; i0++){
if(!(validate16.call(this, data24[i0], {instancePath:instancePath+"/type/" + i0,parentData:data24,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate16.errors : vErrors.concat(validate16.errors);
errors = vErrors.length;
}
}
}
var _valid1 = _errs59 === errors;
valid5 = _valid1;
ifClause0 = "then";
}
else {
const _errs61 = errors;
if(!(validate16.call(this, data24, {instancePath:instancePath+"/type",parentData:data,parentDataProperty:"type",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate16.errors : vErrors.concat(validate16.errors);
errors = vErrors.length;
}
var _valid1 = _errs61 === errors;
valid5 = _valid1;
ifClause0 = "else";
}
if(!valid5){
const err29 = {instancePath:instancePath+"/type",schemaPath:"#/then/properties/type/if",keyword:"if",params:{failingKeyword: ifClause0},schema:schema8.then.properties.type.if,parentSchema:schema8.then.properties.type,data:data24};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data.format !== undefined && func0.call(data, "format")){
let data26 = data.format;
if(typeof data26 !== "string"){
const err30 = {instancePath:instancePath+"/format",schemaPath:"#/then/properties/format/type",keyword:"type",params:{type: "string"},schema:schema8.then.properties.format.type,parentSchema:schema8.then.properties.format,data:data26};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data.enum !== undefined && func0.call(data, "enum")){
let data27 = data.enum;
if(Array.isArray(data27)){
if(data27.length < 1){
const err31 = {instancePath:instancePath+"/enum",schemaPath:"#/then/properties/enum/minItems",keyword:"minItems",params:{limit: 1},schema:1,parentSchema:schema8.then.properties.enum,data:data27};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
else {
const err32 = {instancePath:instancePath+"/enum",schemaPath:"#/then/properties/enum/type",keyword:"type",params:{type: "array"},schema:schema8.then.properties.enum.type,parentSchema:schema8.then.properties.enum,data:data27};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data.minimum !== undefined && func0.call(data, "minimum")){
if(!(validate19.call(this, data.minimum, {instancePath:instancePath+"/minimum",parentData:data,parentDataProperty:"minimum",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate19.errors : vErrors.concat(validate19.errors);
errors = vErrors.length;
}
}
if(data.maximum !== undefined && func0.call(data, "maximum")){
if(!(validate19.call(this, data.maximum, {instancePath:instancePath+"/maximum",parentData:data,parentDataProperty:"maximum",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate19.errors : vErrors.concat(validate19.errors);
errors = vErrors.length;
}
}
if(data.nullable !== undefined && func0.call(data, "nullable")){
let data30 = data.nullable;
if(typeof data30 !== "boolean"){
const err33 = {instancePath:instancePath+"/nullable",schemaPath:"#/then/properties/nullable/type",keyword:"type",params:{type: "boolean"},schema:schema8.then.properties.nullable.type,parentSchema:schema8.then.properties.nullable,data:data30};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data.exclusiveMinimum !== undefined && func0.call(data, "exclusiveMinimum")){
let data31 = data.exclusiveMinimum;
const _errs71 = errors;
let valid8 = true;
const _errs72 = errors;
const _errs73 = errors;
const _errs74 = errors;
if(typeof data31 !== "boolean"){
const err34 = {};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
var valid9 = _errs74 === errors;
if(valid9){
const err35 = {};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
else {
errors = _errs73;
if(vErrors !== null){
if(_errs73){
vErrors.length = _errs73;
}
else {
vErrors = null;
}
}
}
var _valid2 = _errs72 === errors;
errors = _errs71;
if(vErrors !== null){
if(_errs71){
vErrors.length = _errs71;
}
else {
vErrors = null;
}
}
if(_valid2){
const _errs76 = errors;
if(!(validate19.call(this, data31, {instancePath:instancePath+"/exclusiveMinimum",parentData:data,parentDataProperty:"exclusiveMinimum",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate19.errors : vErrors.concat(validate19.errors);
errors = vErrors.length;
}
var _valid2 = _errs76 === errors;
valid8 = _valid2;
}
if(!valid8){
const err36 = {instancePath:instancePath+"/exclusiveMinimum",schemaPath:"#/then/properties/exclusiveMinimum/if",keyword:"if",params:{failingKeyword: "then"},schema:schema8.then.properties.exclusiveMinimum.if,parentSchema:schema8.then.properties.exclusiveMinimum,data:data31};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data.exclusiveMaximum !== undefined && func0.call(data, "exclusiveMaximum")){
let data32 = data.exclusiveMaximum;
const _errs78 = errors;
let valid10 = true;
const _errs79 = errors;
const _errs80 = errors;
const _errs81 = errors;
if(typeof data32 !== "boolean"){
const err37 = {};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
var valid11 = _errs81 === errors;
if(valid11){
const err38 = {};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
else {
errors = _errs80;
if(vErrors !== null){
if(_errs80){
vErrors.length = _errs80;
}
else {
vErrors = null;
}
}
}
var _valid3 = _errs79 === errors;
errors = _errs78;
if(vErrors !== null){
if(_errs78){
vErrors.length = _errs78;
}
else {
vErrors = null;
}
}
if(_valid3){
const _errs83 = errors;
if(!(validate19.call(this, data32, {instancePath:instancePath+"/exclusiveMaximum",parentData:data,parentDataProperty:"exclusiveMaximum",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate19.errors : vErrors.concat(validate19.errors);
errors = vErrors.length;
}
var _valid3 = _errs83 === errors;
valid10 = _valid3;
}
if(!valid10){
const err39 = {instancePath:instancePath+"/exclusiveMaximum",schemaPath:"#/then/properties/exclusiveMaximum/if",keyword:"if",params:{failingKeyword: "then"},schema:schema8.then.properties.exclusiveMaximum.if,parentSchema:schema8.then.properties.exclusiveMaximum,data:data32};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data.multipleOf !== undefined && func0.call(data, "multipleOf")){
let data33 = data.multipleOf;
if(!(validate19.call(this, data33, {instancePath:instancePath+"/multipleOf",parentData:data,parentDataProperty:"multipleOf",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate19.errors : vErrors.concat(validate19.errors);
errors = vErrors.length;
}
if(typeof data33 == "number"){
if(data33 <= 0 || isNaN(data33)){
const err40 = {instancePath:instancePath+"/multipleOf",schemaPath:"#/then/properties/multipleOf/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},schema:0,parentSchema:schema8.then.properties.multipleOf,data:data33};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
}
if(data.minLength !== undefined && func0.call(data, "minLength")){
if(!(validate25.call(this, data.minLength, {instancePath:instancePath+"/minLength",parentData:data,parentDataProperty:"minLength",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate25.errors : vErrors.concat(validate25.errors);
errors = vErrors.length;
}
}
if(data.maxLength !== undefined && func0.call(data, "maxLength")){
if(!(validate25.call(this, data.maxLength, {instancePath:instancePath+"/maxLength",parentData:data,parentDataProperty:"maxLength",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate25.errors : vErrors.concat(validate25.errors);
errors = vErrors.length;
}
}
if(data.pattern !== undefined && func0.call(data, "pattern")){
let data36 = data.pattern;
if(typeof data36 === "string"){
if(!this.formats.get("regex")(data36)){
const err41 = {instancePath:instancePath+"/pattern",schemaPath:"#/then/properties/pattern/format",keyword:"format",params:{},schema:"regex",parentSchema:schema8.then.properties.pattern,data:data36};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
else {
const err42 = {instancePath:instancePath+"/pattern",schemaPath:"#/then/properties/pattern/type",keyword:"type",params:{type: "string"},schema:schema8.then.properties.pattern.type,parentSchema:schema8.then.properties.pattern,data:data36};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
if(data.items !== undefined && func0.call(data, "items")){
if(!(wrapper0.validate.call(this, data.items, {instancePath:instancePath+"/items",parentData:data,parentDataProperty:"items",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data.prefixItems !== undefined && func0.call(data, "prefixItems")){
if(!(validate28.call(this, data.prefixItems, {instancePath:instancePath+"/prefixItems",parentData:data,parentDataProperty:"prefixItems",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
}
if(data.contains !== undefined && func0.call(data, "contains")){
if(!(wrapper0.validate.call(this, data.contains, {instancePath:instancePath+"/contains",parentData:data,parentDataProperty:"contains",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data.minContains !== undefined && func0.call(data, "minContains")){
if(!(validate25.call(this, data.minContains, {instancePath:instancePath+"/minContains",parentData:data,parentDataProperty:"minContains",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate25.errors : vErrors.concat(validate25.errors);
errors = vErrors.length;
}
}
if(data.maxContains !== undefined && func0.call(data, "maxContains")){
if(!(validate25.call(this, data.maxContains, {instancePath:instancePath+"/maxContains",parentData:data,parentDataProperty:"maxContains",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate25.errors : vErrors.concat(validate25.errors);
errors = vErrors.length;
}
}
if(data.minItems !== undefined && func0.call(data, "minItems")){
if(!(validate25.call(this, data.minItems, {instancePath:instancePath+"/minItems",parentData:data,parentDataProperty:"minItems",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate25.errors : vErrors.concat(validate25.errors);
errors = vErrors.length;
}
}
if(data.maxItems !== undefined && func0.call(data, "maxItems")){
if(!(validate25.call(this, data.maxItems, {instancePath:instancePath+"/maxItems",parentData:data,parentDataProperty:"maxItems",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate25.errors : vErrors.concat(validate25.errors);
errors = vErrors.length;
}
}
if(data.uniqueItems !== undefined && func0.call(data, "uniqueItems")){
let data44 = data.uniqueItems;
if(typeof data44 !== "boolean"){
const err43 = {instancePath:instancePath+"/uniqueItems",schemaPath:"#/then/properties/uniqueItems/type",keyword:"type",params:{type: "boolean"},schema:schema8.then.properties.uniqueItems.type,parentSchema:schema8.then.properties.uniqueItems,data:data44};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
if(data.unevaluatedItems !== undefined && func0.call(data, "unevaluatedItems")){
if(!(wrapper0.validate.call(this, data.unevaluatedItems, {instancePath:instancePath+"/unevaluatedItems",parentData:data,parentDataProperty:"unevaluatedItems",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data.properties !== undefined && func0.call(data, "properties")){
let data46 = data.properties;
if(!(validate12.call(this, data46, {instancePath:instancePath+"/properties",parentData:data,parentDataProperty:"properties",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate12.errors : vErrors.concat(validate12.errors);
errors = vErrors.length;
}
if(data46 && typeof data46 == "object" && !Array.isArray(data46)){
for(const key3 of Object.keys(data46)){
const _errs100 = errors;
if(typeof key3 === "string"){
if(!pattern6.test(key3)){
const err44 = {instancePath:instancePath+"/properties",schemaPath:"#/then/properties/properties/propertyNames/pattern",keyword:"pattern",params:{pattern: "^(?!(constructor|__(define|lookup)[GS]etter__|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toString|valueOf|__proto__|toLocaleString)$)"},schema:"^(?!(constructor|__(define|lookup)[GS]etter__|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toString|valueOf|__proto__|toLocaleString)$)",parentSchema:schema8.then.properties.properties.propertyNames,data:key3,propertyName:key3};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
else {
const err45 = {instancePath:instancePath+"/properties",schemaPath:"#/then/properties/properties/propertyNames/type",keyword:"type",params:{type: "string"},schema:schema8.then.properties.properties.propertyNames.type,parentSchema:schema8.then.properties.properties.propertyNames,data:key3,propertyName:key3};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
var valid12 = _errs100 === errors;
if(!valid12){
const err46 = {instancePath:instancePath+"/properties",schemaPath:"#/then/properties/properties/propertyNames",keyword:"propertyNames",params:{propertyName: key3},schema:schema8.then.properties.properties.propertyNames,parentSchema:schema8.then.properties.properties,data:data46};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
}
}
if(data.patternProperties !== undefined && func0.call(data, "patternProperties")){
let data47 = data.patternProperties;
if(!(validate12.call(this, data47, {instancePath:instancePath+"/patternProperties",parentData:data,parentDataProperty:"patternProperties",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate12.errors : vErrors.concat(validate12.errors);
errors = vErrors.length;
}
if(data47 && typeof data47 == "object" && !Array.isArray(data47)){
for(const key4 of Object.keys(data47)){
const _errs103 = errors;
if(typeof key4 === "string"){
if(!this.formats.get("regex")(key4)){
const err47 = {instancePath:instancePath+"/patternProperties",schemaPath:"#/then/properties/patternProperties/propertyNames/format",keyword:"format",params:{},schema:"regex",parentSchema:schema8.then.properties.patternProperties.propertyNames,data:key4,propertyName:key4};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
else {
const err48 = {instancePath:instancePath+"/patternProperties",schemaPath:"#/then/properties/patternProperties/propertyNames/type",keyword:"type",params:{type: "string"},schema:schema8.then.properties.patternProperties.propertyNames.type,parentSchema:schema8.then.properties.patternProperties.propertyNames,data:key4,propertyName:key4};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
var valid13 = _errs103 === errors;
if(!valid13){
const err49 = {instancePath:instancePath+"/patternProperties",schemaPath:"#/then/properties/patternProperties/propertyNames",keyword:"propertyNames",params:{propertyName: key4},schema:schema8.then.properties.patternProperties.propertyNames,parentSchema:schema8.then.properties.patternProperties,data:data47};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
}
}
if(data.additionalProperties !== undefined && func0.call(data, "additionalProperties")){
if(!(wrapper0.validate.call(this, data.additionalProperties, {instancePath:instancePath+"/additionalProperties",parentData:data,parentDataProperty:"additionalProperties",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data.propertyNames !== undefined && func0.call(data, "propertyNames")){
if(!(wrapper0.validate.call(this, data.propertyNames, {instancePath:instancePath+"/propertyNames",parentData:data,parentDataProperty:"propertyNames",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data.unevaluatedProperties !== undefined && func0.call(data, "unevaluatedProperties")){
if(!(wrapper0.validate.call(this, data.unevaluatedProperties, {instancePath:instancePath+"/unevaluatedProperties",parentData:data,parentDataProperty:"unevaluatedProperties",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data.required !== undefined && func0.call(data, "required")){
let data51 = data.required;
if(Array.isArray(data51)){
const len1 = data51.length;
for(let i1=0; i1<len1; i1++){
let data52 = data51[i1];
if(typeof data52 !== "string"){
const err50 = {instancePath:instancePath+"/required/" + i1,schemaPath:"#/then/properties/required/items/type",keyword:"type",params:{type: "string"},schema:schema8.then.properties.required.items.type,parentSchema:schema8.then.properties.required.items,data:data52};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
let i2 = data51.length;
let j0;
if(i2 > 1){
const indices0 = {};
for(;i2--;){
let item0 = data51[i2];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
const err51 = {instancePath:instancePath+"/required",schemaPath:"#/then/properties/required/uniqueItems",keyword:"uniqueItems",params:{i: i2, j: j0},schema:true,parentSchema:schema8.then.properties.required,data:data51};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
break;
}
indices0[item0] = i2;
}
}
}
else {
const err52 = {instancePath:instancePath+"/required",schemaPath:"#/then/properties/required/type",keyword:"type",params:{type: "array"},schema:schema8.then.properties.required.type,parentSchema:schema8.then.properties.required,data:data51};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
if(data.minProperties !== undefined && func0.call(data, "minProperties")){
if(!(validate25.call(this, data.minProperties, {instancePath:instancePath+"/minProperties",parentData:data,parentDataProperty:"minProperties",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate25.errors : vErrors.concat(validate25.errors);
errors = vErrors.length;
}
}
if(data.maxProperties !== undefined && func0.call(data, "maxProperties")){
if(!(validate25.call(this, data.maxProperties, {instancePath:instancePath+"/maxProperties",parentData:data,parentDataProperty:"maxProperties",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate25.errors : vErrors.concat(validate25.errors);
errors = vErrors.length;
}
}
if(data.dependentRequired !== undefined && func0.call(data, "dependentRequired")){
let data55 = data.dependentRequired;
if(data55 && typeof data55 == "object" && !Array.isArray(data55)){
for(const key5 of Object.keys(data55)){
let data56 = data55[key5];
if(Array.isArray(data56)){
const len2 = data56.length;
for(let i3=0; i3<len2; i3++){
let data57 = data56[i3];
if(typeof data57 !== "string"){
const err53 = {instancePath:instancePath+"/dependentRequired/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i3,schemaPath:"#/then/properties/dependentRequired/additionalProperties/items/type",keyword:"type",params:{type: "string"},schema:schema8.then.properties.dependentRequired.additionalProperties.items.type,parentSchema:schema8.then.properties.dependentRequired.additionalProperties.items,data:data57};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
}
else {
const err54 = {instancePath:instancePath+"/dependentRequired/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/then/properties/dependentRequired/additionalProperties/type",keyword:"type",params:{type: "array"},schema:schema8.then.properties.dependentRequired.additionalProperties.type,parentSchema:schema8.then.properties.dependentRequired.additionalProperties,data:data56};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
}
else {
const err55 = {instancePath:instancePath+"/dependentRequired",schemaPath:"#/then/properties/dependentRequired/type",keyword:"type",params:{type: "object"},schema:schema8.then.properties.dependentRequired.type,parentSchema:schema8.then.properties.dependentRequired,data:data55};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
if(data.dependentSchemas !== undefined && func0.call(data, "dependentSchemas")){
if(!(validate12.call(this, data.dependentSchemas, {instancePath:instancePath+"/dependentSchemas",parentData:data,parentDataProperty:"dependentSchemas",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate12.errors : vErrors.concat(validate12.errors);
errors = vErrors.length;
}
}
if(data.allOf !== undefined && func0.call(data, "allOf")){
if(!(validate28.call(this, data.allOf, {instancePath:instancePath+"/allOf",parentData:data,parentDataProperty:"allOf",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
}
if(data.anyOf !== undefined && func0.call(data, "anyOf")){
if(!(validate28.call(this, data.anyOf, {instancePath:instancePath+"/anyOf",parentData:data,parentDataProperty:"anyOf",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
}
if(data.oneOf !== undefined && func0.call(data, "oneOf")){
if(!(validate28.call(this, data.oneOf, {instancePath:instancePath+"/oneOf",parentData:data,parentDataProperty:"oneOf",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
}
if(data.not !== undefined && func0.call(data, "not")){
if(!(wrapper0.validate.call(this, data.not, {instancePath:instancePath+"/not",parentData:data,parentDataProperty:"not",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data.if !== undefined && func0.call(data, "if")){
if(!(wrapper0.validate.call(this, data.if, {instancePath:instancePath+"/if",parentData:data,parentDataProperty:"if",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data.then !== undefined && func0.call(data, "then")){
if(!(wrapper0.validate.call(this, data.then, {instancePath:instancePath+"/then",parentData:data,parentDataProperty:"then",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data.else !== undefined && func0.call(data, "else")){
if(!(wrapper0.validate.call(this, data.else, {instancePath:instancePath+"/else",parentData:data,parentDataProperty:"else",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data["x-extensible-enum"] !== undefined && func0.call(data, "x-extensible-enum")){
let data66 = data["x-extensible-enum"];
if(!(Array.isArray(data66))){
const err56 = {instancePath:instancePath+"/x-extensible-enum",schemaPath:"#/then/properties/x-extensible-enum/type",keyword:"type",params:{type: "array"},schema:schema8.then.properties["x-extensible-enum"].type,parentSchema:schema8.then.properties["x-extensible-enum"],data:data66};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
}
else {
const err57 = {instancePath,schemaPath:"#/then/type",keyword:"type",params:{type: "object"},schema:schema8.then.type,parentSchema:schema8.then,data};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
var _valid0 = _errs5 === errors;
valid0 = _valid0;
if(valid0){
var props11 = true;
}
}
if(!valid0){
const err58 = {instancePath,schemaPath:"#/if",keyword:"if",params:{failingKeyword: "then"},schema:schema8.if,parentSchema:schema8,data};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
this.checkedValues.push({ check: "schema", value: data, pointer: instancePath });
this.kinds.set(instancePath, "schemas");
validate11.errors = vErrors;
evaluated0.props = props11;
return errors === 0;
}
validate11.evaluated = {"dynamicProps":true,"dynamicItems":false};

const schema15 = {"kind":"mediaTypes","if":{"required":["$ref"]},"then":{"$ref":"#/$defs/reference","properties":{"$ref":{"refersTo":"mediaTypes"}}},"else":{"title":"Media Type Object","type":"object","additionalProperties":false,"properties":{"schema":{"$ref":"#/$defs/schema"},"itemSchema":{"$ref":"#/$defs/schema"},"example":true,"examples":{"$ref":"#/$defs/examples"},"x-stream":{"type":"boolean"},"encoding":{"type":"object","additionalProperties":{"title":"Encoding Object","type":"object","additionalProperties":false,"properties":{"contentType":{"type":"string"},"headers":{"$ref":"#/$defs/headers"},"style":{"enum":["form","spaceDelimited","pipeDelimited","deepObject"]},"explode":{"type":"boolean"},"allowReserved":{"type":"boolean"}}}}}}};
const schema16 = {"type":"object","additionalProperties":{"$ref":"#/$defs/example"}};
const schema17 = {"kind":"examples","if":{"required":["$ref"]},"then":{"$ref":"#/$defs/reference","properties":{"$ref":{"refersTo":"examples"}}},"else":{"title":"Example Object","type":"object","additionalProperties":false,"properties":{"summary":{"type":"string"},"description":{"type":"string"},"value":true,"dataValue":true,"serializedValue":{"type":"string"},"externalValue":{"type":"string"}}}};

function validate48(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate48.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = true;
const _errs1 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.$ref === undefined) || (!(func0.call(data, "$ref")))) && (missing0 = "$ref")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs1 === errors;
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs2 = errors;
if(!(validate7.call(this, data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate7.errors : vErrors.concat(validate7.errors);
errors = vErrors.length;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.$ref !== undefined && func0.call(data, "$ref")){
this.references.push({ $ref: data.$ref, kind: "examples", pointer: instancePath+"/$ref" });
}
}
var _valid0 = _errs2 === errors;
valid0 = _valid0;
if(valid0){
var props0 = true;
}
ifClause0 = "then";
}
else {
const _errs4 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!((((((key0 === "summary") || (key0 === "description")) || (key0 === "value")) || (key0 === "dataValue")) || (key0 === "serializedValue")) || (key0 === "externalValue"))){
const err1 = {instancePath,schemaPath:"#/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema17.else,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.summary !== undefined && func0.call(data, "summary")){
let data1 = data.summary;
if(typeof data1 !== "string"){
const err2 = {instancePath:instancePath+"/summary",schemaPath:"#/else/properties/summary/type",keyword:"type",params:{type: "string"},schema:schema17.else.properties.summary.type,parentSchema:schema17.else.properties.summary,data:data1};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
let data2 = data.description;
if(typeof data2 !== "string"){
const err3 = {instancePath:instancePath+"/description",schemaPath:"#/else/properties/description/type",keyword:"type",params:{type: "string"},schema:schema17.else.properties.description.type,parentSchema:schema17.else.properties.description,data:data2};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.serializedValue !== undefined && func0.call(data, "serializedValue")){
let data3 = data.serializedValue;
if(typeof data3 !== "string"){
const err4 = {instancePath:instancePath+"/serializedValue",schemaPath:"#/else/properties/serializedValue/type",keyword:"type",params:{type: "string"},schema:schema17.else.properties.serializedValue.type,parentSchema:schema17.else.properties.serializedValue,data:data3};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.externalValue !== undefined && func0.call(data, "externalValue")){
let data4 = data.externalValue;
if(typeof data4 !== "string"){
const err5 = {instancePath:instancePath+"/externalValue",schemaPath:"#/else/properties/externalValue/type",keyword:"type",params:{type: "string"},schema:schema17.else.properties.externalValue.type,parentSchema:schema17.else.properties.externalValue,data:data4};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/else/type",keyword:"type",params:{type: "object"},schema:schema17.else.type,parentSchema:schema17.else,data};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
if(valid0){
if(props0 !== true){
props0 = true;
}
}
ifClause0 = "else";
}
if(!valid0){
const err7 = {instancePath,schemaPath:"#/if",keyword:"if",params:{failingKeyword: ifClause0},schema:schema17.if,parentSchema:schema17,data};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
this.kinds.set(instancePath, "examples");
validate48.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate48.evaluated = {"dynamicProps":true,"dynamicItems":false};


function validate47(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate47.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!(validate48.call(this, data[key0], {instancePath:instancePath+"/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data,parentDataProperty:key0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate48.errors : vErrors.concat(validate48.errors);
errors = vErrors.length;
}
}
}
else {
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},schema:schema16.type,parentSchema:schema16,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate47.errors = vErrors;
return errors === 0;
}
validate47.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema18 = {"title":"headers","type":"object","check":"headers","propertyNames":{"pattern":"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$","advice":"choose another name that HTTP allows for a header"},"additionalProperties":{"$ref":"#/$defs/header"}};
const schema19 = {"kind":"headers","if":{"required":["$ref"]},"then":{"$ref":"#/$defs/reference","properties":{"$ref":{"refersTo":"headers"}}},"else":{"title":"Header Object","type":"object","required":["schema"],"check":"header","additionalProperties":false,"properties":{"description":{"type":"string"},"required":{"type":"boolean"},"deprecated":{"type":"boolean"},"style":{"const":"simple"},"explode":{"type":"boolean"},"schema":{"$ref":"#/$defs/schema"},"example":true,"examples":{"$ref":"#/$defs/examples"}}}};

function validate53(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate53.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = true;
const _errs1 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.$ref === undefined) || (!(func0.call(data, "$ref")))) && (missing0 = "$ref")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs1 === errors;
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs2 = errors;
if(!(validate7.call(this, data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate7.errors : vErrors.concat(validate7.errors);
errors = vErrors.length;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.$ref !== undefined && func0.call(data, "$ref")){
this.references.push({ $ref: data.$ref, kind: "headers", pointer: instancePath+"/$ref" });
}
}
var _valid0 = _errs2 === errors;
valid0 = _valid0;
if(valid0){
var props0 = true;
}
ifClause0 = "then";
}
else {
const _errs4 = errors;
this.checkedValues.push({ check: "header", value: data, pointer: instancePath });
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.schema === undefined) || (!(func0.call(data, "schema")))){
const err1 = {instancePath,schemaPath:"#/else/required",keyword:"required",params:{missingProperty: "schema"},schema:schema19.else.required,parentSchema:schema19.else,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!((((((((key0 === "description") || (key0 === "required")) || (key0 === "deprecated")) || (key0 === "style")) || (key0 === "explode")) || (key0 === "schema")) || (key0 === "example")) || (key0 === "examples"))){
const err2 = {instancePath,schemaPath:"#/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema19.else,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
let data1 = data.description;
if(typeof data1 !== "string"){
const err3 = {instancePath:instancePath+"/description",schemaPath:"#/else/properties/description/type",keyword:"type",params:{type: "string"},schema:schema19.else.properties.description.type,parentSchema:schema19.else.properties.description,data:data1};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.required !== undefined && func0.call(data, "required")){
let data2 = data.required;
if(typeof data2 !== "boolean"){
const err4 = {instancePath:instancePath+"/required",schemaPath:"#/else/properties/required/type",keyword:"type",params:{type: "boolean"},schema:schema19.else.properties.required.type,parentSchema:schema19.else.properties.required,data:data2};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.deprecated !== undefined && func0.call(data, "deprecated")){
let data3 = data.deprecated;
if(typeof data3 !== "boolean"){
const err5 = {instancePath:instancePath+"/deprecated",schemaPath:"#/else/properties/deprecated/type",keyword:"type",params:{type: "boolean"},schema:schema19.else.properties.deprecated.type,parentSchema:schema19.else.properties.deprecated,data:data3};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.style !== undefined && func0.call(data, "style")){
let data4 = data.style;
if("simple" !== data4){
const err6 = {instancePath:instancePath+"/style",schemaPath:"#/else/properties/style/const",keyword:"const",params:{allowedValue: "simple"},schema:"simple",parentSchema:schema19.else.properties.style,data:data4};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.explode !== undefined && func0.call(data, "explode")){
let data5 = data.explode;
if(typeof data5 !== "boolean"){
const err7 = {instancePath:instancePath+"/explode",schemaPath:"#/else/properties/explode/type",keyword:"type",params:{type: "boolean"},schema:schema19.else.properties.explode.type,parentSchema:schema19.else.properties.explode,data:data5};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.schema !== undefined && func0.call(data, "schema")){
if(!(validate11.call(this, data.schema, {instancePath:instancePath+"/schema",parentData:data,parentDataProperty:"schema",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate11.errors : vErrors.concat(validate11.errors);
errors = vErrors.length;
}
}
if(data.examples !== undefined && func0.call(data, "examples")){
if(!(validate47.call(this, data.examples, {instancePath:instancePath+"/examples",parentData:data,parentDataProperty:"examples",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate47.errors : vErrors.concat(validate47.errors);
errors = vErrors.length;
}
}
}
else {
const err8 = {instancePath,schemaPath:"#/else/type",keyword:"type",params:{type: "object"},schema:schema19.else.type,parentSchema:schema19.else,data};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
if(valid0){
if(props0 !== true){
props0 = true;
}
}
ifClause0 = "else";
}
if(!valid0){
const err9 = {instancePath,schemaPath:"#/if",keyword:"if",params:{failingKeyword: ifClause0},schema:schema19.if,parentSchema:schema19,data};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
this.kinds.set(instancePath, "headers");
validate53.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate53.evaluated = {"dynamicProps":true,"dynamicItems":false};


function validate52(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate52.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
this.checkedValues.push({ check: "headers", value: data, pointer: instancePath });
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
const _errs1 = errors;
if(typeof key0 === "string"){
if(!pattern5.test(key0)){
const err0 = {instancePath,schemaPath:"#/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"},schema:"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",parentSchema:schema18.propertyNames,data:key0,propertyName:key0};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var valid0 = _errs1 === errors;
if(!valid0){
const err1 = {instancePath,schemaPath:"#/propertyNames",keyword:"propertyNames",params:{propertyName: key0},schema:schema18.propertyNames,parentSchema:schema18,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
for(const key1 of Object.keys(data)){
if(!(validate53.call(this, data[key1], {instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data,parentDataProperty:key1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},schema:schema18.type,parentSchema:schema18,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate52.errors = vErrors;
return errors === 0;
}
validate52.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate43(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate43.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = true;
const _errs1 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.$ref === undefined) || (!(func0.call(data, "$ref")))) && (missing0 = "$ref")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs1 === errors;
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs2 = errors;
if(!(validate7.call(this, data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate7.errors : vErrors.concat(validate7.errors);
errors = vErrors.length;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.$ref !== undefined && func0.call(data, "$ref")){
this.references.push({ $ref: data.$ref, kind: "mediaTypes", pointer: instancePath+"/$ref" });
}
}
var _valid0 = _errs2 === errors;
valid0 = _valid0;
if(valid0){
var props0 = true;
}
ifClause0 = "then";
}
else {
const _errs4 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!((((((key0 === "schema") || (key0 === "itemSchema")) || (key0 === "example")) || (key0 === "examples")) || (key0 === "x-stream")) || (key0 === "encoding"))){
const err1 = {instancePath,schemaPath:"#/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema15.else,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.schema !== undefined && func0.call(data, "schema")){
if(!(validate11.call(this, data.schema, {instancePath:instancePath+"/schema",parentData:data,parentDataProperty:"schema",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate11.errors : vErrors.concat(validate11.errors);
errors = vErrors.length;
}
}
if(data.itemSchema !== undefined && func0.call(data, "itemSchema")){
if(!(validate11.call(this, data.itemSchema, {instancePath:instancePath+"/itemSchema",parentData:data,parentDataProperty:"itemSchema",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate11.errors : vErrors.concat(validate11.errors);
errors = vErrors.length;
}
}
if(data.examples !== undefined && func0.call(data, "examples")){
if(!(validate47.call(this, data.examples, {instancePath:instancePath+"/examples",parentData:data,parentDataProperty:"examples",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate47.errors : vErrors.concat(validate47.errors);
errors = vErrors.length;
}
}
if(data["x-stream"] !== undefined && func0.call(data, "x-stream")){
let data4 = data["x-stream"];
if(typeof data4 !== "boolean"){
const err2 = {instancePath:instancePath+"/x-stream",schemaPath:"#/else/properties/x-stream/type",keyword:"type",params:{type: "boolean"},schema:schema15.else.properties["x-stream"].type,parentSchema:schema15.else.properties["x-stream"],data:data4};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.encoding !== undefined && func0.call(data, "encoding")){
let data5 = data.encoding;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
for(const key1 of Object.keys(data5)){
let data6 = data5[key1];
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
for(const key2 of Object.keys(data6)){
if(!(((((key2 === "contentType") || (key2 === "headers")) || (key2 === "style")) || (key2 === "explode")) || (key2 === "allowReserved"))){
const err3 = {instancePath:instancePath+"/encoding/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/else/properties/encoding/additionalProperties/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},schema:false,parentSchema:schema15.else.properties.encoding.additionalProperties,data:data6};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data6.contentType !== undefined && func0.call(data6, "contentType")){
let data7 = data6.contentType;
if(typeof data7 !== "string"){
const err4 = {instancePath:instancePath+"/encoding/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/contentType",schemaPath:"#/else/properties/encoding/additionalProperties/properties/contentType/type",keyword:"type",params:{type: "string"},schema:schema15.else.properties.encoding.additionalProperties.properties.contentType.type,parentSchema:schema15.else.properties.encoding.additionalProperties.properties.contentType,data:data7};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data6.headers !== undefined && func0.call(data6, "headers")){
if(!(validate52.call(this, data6.headers, {instancePath:instancePath+"/encoding/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/headers",parentData:data6,parentDataProperty:"headers",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate52.errors : vErrors.concat(validate52.errors);
errors = vErrors.length;
}
}
if(data6.style !== undefined && func0.call(data6, "style")){
let data9 = data6.style;
if(!((((data9 === "form") || (data9 === "spaceDelimited")) || (data9 === "pipeDelimited")) || (data9 === "deepObject"))){
const err5 = {instancePath:instancePath+"/encoding/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/style",schemaPath:"#/else/properties/encoding/additionalProperties/properties/style/enum",keyword:"enum",params:{allowedValues: schema15.else.properties.encoding.additionalProperties.properties.style.enum},schema:schema15.else.properties.encoding.additionalProperties.properties.style.enum,parentSchema:schema15.else.properties.encoding.additionalProperties.properties.style,data:data9};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data6.explode !== undefined && func0.call(data6, "explode")){
let data10 = data6.explode;
if(typeof data10 !== "boolean"){
const err6 = {instancePath:instancePath+"/encoding/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/explode",schemaPath:"#/else/properties/encoding/additionalProperties/properties/explode/type",keyword:"type",params:{type: "boolean"},schema:schema15.else.properties.encoding.additionalProperties.properties.explode.type,parentSchema:schema15.else.properties.encoding.additionalProperties.properties.explode,data:data10};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data6.allowReserved !== undefined && func0.call(data6, "allowReserved")){
let data11 = data6.allowReserved;
if(typeof data11 !== "boolean"){
const err7 = {instancePath:instancePath+"/encoding/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/allowReserved",schemaPath:"#/else/properties/encoding/additionalProperties/properties/allowReserved/type",keyword:"type",params:{type: "boolean"},schema:schema15.else.properties.encoding.additionalProperties.properties.allowReserved.type,parentSchema:schema15.else.properties.encoding.additionalProperties.properties.allowReserved,data:data11};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/encoding/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/else/properties/encoding/additionalProperties/type",keyword:"type",params:{type: "object"},schema:schema15.else.properties.encoding.additionalProperties.type,parentSchema:schema15.else.properties.encoding.additionalProperties,data:data6};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath:instancePath+"/encoding",schemaPath:"#/else/properties/encoding/type",keyword:"type",params:{type: "object"},schema:schema15.else.properties.encoding.type,parentSchema:schema15.else.properties.encoding,data:data5};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/else/type",keyword:"type",params:{type: "object"},schema:schema15.else.type,parentSchema:schema15.else,data};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
if(valid0){
if(props0 !== true){
props0 = true;
}
}
ifClause0 = "else";
}
if(!valid0){
const err11 = {instancePath,schemaPath:"#/if",keyword:"if",params:{failingKeyword: ifClause0},schema:schema15.if,parentSchema:schema15,data};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
this.kinds.set(instancePath, "mediaTypes");
validate43.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate43.evaluated = {"dynamicProps":true,"dynamicItems":false};

const pattern4 = new RegExp(".", "u");
const pattern9 = new RegExp("^application/([a-z0-9.-]+\\+)?json$", "u");

function validate6(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate6.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = true;
const _errs1 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.$ref === undefined) || (!(func0.call(data, "$ref")))) && (missing0 = "$ref")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs1 === errors;
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs2 = errors;
if(!(validate7.call(this, data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate7.errors : vErrors.concat(validate7.errors);
errors = vErrors.length;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.$ref !== undefined && func0.call(data, "$ref")){
this.references.push({ $ref: data.$ref, kind: "parameters", pointer: instancePath+"/$ref" });
}
}
var _valid0 = _errs2 === errors;
valid0 = _valid0;
if(valid0){
var props0 = true;
}
ifClause0 = "then";
}
else {
const _errs4 = errors;
const _errs7 = errors;
let valid3 = true;
const _errs8 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing1;
if(((data.in === undefined) || (!(func0.call(data, "in")))) && (missing1 = "in")){
const err1 = {};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
else {
if(data.in !== undefined && func0.call(data, "in")){
if("query" !== data.in){
const err2 = {};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
}
var _valid1 = _errs8 === errors;
errors = _errs7;
if(vErrors !== null){
if(_errs7){
vErrors.length = _errs7;
}
else {
vErrors = null;
}
}
if(_valid1){
const _errs10 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name !== undefined && func0.call(data, "name")){
let data2 = data.name;
if(typeof data2 === "string"){
if(!pattern4.test(data2)){
const err3 = {instancePath:instancePath+"/name",schemaPath:"#/else/allOf/0/then/properties/name/pattern",keyword:"pattern",params:{pattern: "."},schema:".",parentSchema:schema5.else.allOf[0].then.properties.name,data:data2};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
if(data.style !== undefined && func0.call(data, "style")){
let data3 = data.style;
if(!((((data3 === "form") || (data3 === "spaceDelimited")) || (data3 === "pipeDelimited")) || (data3 === "deepObject"))){
const err4 = {instancePath:instancePath+"/style",schemaPath:"#/else/allOf/0/then/properties/style/enum",keyword:"enum",params:{allowedValues: schema5.else.allOf[0].then.properties.style.enum},schema:schema5.else.allOf[0].then.properties.style.enum,parentSchema:schema5.else.allOf[0].then.properties.style,data:data3};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
var _valid1 = _errs10 === errors;
valid3 = _valid1;
if(valid3){
var props1 = {};
props1.name = true;
props1.style = true;
props1.in = true;
}
}
if(!valid3){
const err5 = {instancePath,schemaPath:"#/else/allOf/0/if",keyword:"if",params:{failingKeyword: "then"},schema:schema5.else.allOf[0].if,parentSchema:schema5.else.allOf[0],data};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
const _errs14 = errors;
let valid6 = true;
const _errs15 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing2;
if(((data.in === undefined) || (!(func0.call(data, "in")))) && (missing2 = "in")){
const err6 = {};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
else {
if(data.in !== undefined && func0.call(data, "in")){
let data4 = data.in;
if(!((data4 === "path") || (data4 === "header"))){
const err7 = {};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
}
var _valid2 = _errs15 === errors;
errors = _errs14;
if(vErrors !== null){
if(_errs14){
vErrors.length = _errs14;
}
else {
vErrors = null;
}
}
if(_valid2){
const _errs17 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.style !== undefined && func0.call(data, "style")){
let data5 = data.style;
if("simple" !== data5){
const err8 = {instancePath:instancePath+"/style",schemaPath:"#/else/allOf/1/then/properties/style/const",keyword:"const",params:{allowedValue: "simple"},schema:"simple",parentSchema:schema5.else.allOf[1].then.properties.style,data:data5};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
var _valid2 = _errs17 === errors;
valid6 = _valid2;
if(valid6){
var props2 = {};
props2.style = true;
props2.in = true;
}
}
if(!valid6){
const err9 = {instancePath,schemaPath:"#/else/allOf/1/if",keyword:"if",params:{failingKeyword: "then"},schema:schema5.else.allOf[1].if,parentSchema:schema5.else.allOf[1],data};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(props1 !== true && props2 !== undefined){
if(props2 === true){
props1 = true;
}
else {
props1 = props1 || {};
Object.assign(props1, props2);
}
}
const _errs20 = errors;
let valid9 = true;
const _errs21 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing3;
if(((data.in === undefined) || (!(func0.call(data, "in")))) && (missing3 = "in")){
const err10 = {};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
else {
if(data.in !== undefined && func0.call(data, "in")){
if("cookie" !== data.in){
const err11 = {};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
}
var _valid3 = _errs21 === errors;
errors = _errs20;
if(vErrors !== null){
if(_errs20){
vErrors.length = _errs20;
}
else {
vErrors = null;
}
}
if(_valid3){
const _errs23 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.style !== undefined && func0.call(data, "style")){
let data7 = data.style;
if("form" !== data7){
const err12 = {instancePath:instancePath+"/style",schemaPath:"#/else/allOf/2/then/properties/style/const",keyword:"const",params:{allowedValue: "form"},schema:"form",parentSchema:schema5.else.allOf[2].then.properties.style,data:data7};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
var _valid3 = _errs23 === errors;
valid9 = _valid3;
if(valid9){
var props3 = {};
props3.style = true;
props3.in = true;
}
}
if(!valid9){
const err13 = {instancePath,schemaPath:"#/else/allOf/2/if",keyword:"if",params:{failingKeyword: "then"},schema:schema5.else.allOf[2].if,parentSchema:schema5.else.allOf[2],data};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(props1 !== true && props3 !== undefined){
if(props3 === true){
props1 = true;
}
else {
props1 = props1 || {};
Object.assign(props1, props3);
}
}
const _errs26 = errors;
let valid12 = true;
const _errs27 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing4;
if(((data.style === undefined) || (!(func0.call(data, "style")))) && (missing4 = "style")){
const err14 = {};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
else {
if(data.style !== undefined && func0.call(data, "style")){
let data8 = data.style;
if(!((data8 === "spaceDelimited") || (data8 === "pipeDelimited"))){
const err15 = {};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
}
var _valid4 = _errs27 === errors;
errors = _errs26;
if(vErrors !== null){
if(_errs26){
vErrors.length = _errs26;
}
else {
vErrors = null;
}
}
if(_valid4){
const _errs29 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.explode !== undefined && func0.call(data, "explode")){
let data9 = data.explode;
if(false !== data9){
const err16 = {instancePath:instancePath+"/explode",schemaPath:"#/else/allOf/3/then/properties/explode/const",keyword:"const",params:{allowedValue: false},schema:false,parentSchema:schema5.else.allOf[3].then.properties.explode,data:data9};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
var _valid4 = _errs29 === errors;
valid12 = _valid4;
if(valid12){
var props4 = {};
props4.explode = true;
props4.style = true;
}
}
if(!valid12){
const err17 = {instancePath,schemaPath:"#/else/allOf/3/if",keyword:"if",params:{failingKeyword: "then"},schema:schema5.else.allOf[3].if,parentSchema:schema5.else.allOf[3],data};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(props1 !== true && props4 !== undefined){
if(props4 === true){
props1 = true;
}
else {
props1 = props1 || {};
Object.assign(props1, props4);
}
}
const _errs32 = errors;
let valid15 = true;
const _errs33 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing5;
if(((data.content === undefined) || (!(func0.call(data, "content")))) && (missing5 = "content")){
const err18 = {};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
var _valid5 = _errs33 === errors;
errors = _errs32;
if(vErrors !== null){
if(_errs32){
vErrors.length = _errs32;
}
else {
vErrors = null;
}
}
let ifClause1;
if(_valid5){
const _errs34 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.schema !== undefined && func0.call(data, "schema")){
const err19 = {instancePath:instancePath+"/schema",schemaPath:"#/else/allOf/4/then/properties/schema/not",keyword:"not",params:{},schema:schema5.else.allOf[4].then.properties.schema.not,parentSchema:schema5.else.allOf[4].then.properties.schema,data:data.schema};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(data.style !== undefined && func0.call(data, "style")){
const err20 = {instancePath:instancePath+"/style",schemaPath:"#/else/allOf/4/then/properties/style/not",keyword:"not",params:{},schema:schema5.else.allOf[4].then.properties.style.not,parentSchema:schema5.else.allOf[4].then.properties.style,data:data.style};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(data.explode !== undefined && func0.call(data, "explode")){
const err21 = {instancePath:instancePath+"/explode",schemaPath:"#/else/allOf/4/then/properties/explode/not",keyword:"not",params:{},schema:schema5.else.allOf[4].then.properties.explode.not,parentSchema:schema5.else.allOf[4].then.properties.explode,data:data.explode};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
var _valid5 = _errs34 === errors;
valid15 = _valid5;
if(valid15){
var props5 = {};
props5.schema = true;
props5.style = true;
props5.explode = true;
}
ifClause1 = "then";
}
else {
const _errs41 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.schema === undefined) || (!(func0.call(data, "schema")))){
const err22 = {instancePath,schemaPath:"#/else/allOf/4/else/required",keyword:"required",params:{missingProperty: "schema"},schema:schema5.else.allOf[4].else.required,parentSchema:schema5.else.allOf[4].else,data};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
var _valid5 = _errs41 === errors;
valid15 = _valid5;
ifClause1 = "else";
}
if(!valid15){
const err23 = {instancePath,schemaPath:"#/else/allOf/4/if",keyword:"if",params:{failingKeyword: ifClause1},schema:schema5.else.allOf[4].if,parentSchema:schema5.else.allOf[4],data};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if(props1 !== true && props5 !== undefined){
if(props5 === true){
props1 = true;
}
else {
props1 = props1 || {};
Object.assign(props1, props5);
}
}
const _errs43 = errors;
let valid17 = true;
const _errs44 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing6;
if(((data.in === undefined) || (!(func0.call(data, "in")))) && (missing6 = "in")){
const err24 = {};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
else {
if(data.in !== undefined && func0.call(data, "in")){
if("path" !== data.in){
const err25 = {};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
}
}
var _valid6 = _errs44 === errors;
errors = _errs43;
if(vErrors !== null){
if(_errs43){
vErrors.length = _errs43;
}
else {
vErrors = null;
}
}
if(_valid6){
const _errs46 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.required === undefined) || (!(func0.call(data, "required")))){
const err26 = {instancePath,schemaPath:"#/else/allOf/5/then/required",keyword:"required",params:{missingProperty: "required"},schema:schema5.else.allOf[5].then.required,parentSchema:schema5.else.allOf[5].then,data};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(data.required !== undefined && func0.call(data, "required")){
let data14 = data.required;
if(true !== data14){
const err27 = {instancePath:instancePath+"/required",schemaPath:"#/else/allOf/5/then/properties/required/const",keyword:"const",params:{allowedValue: true},schema:true,parentSchema:schema5.else.allOf[5].then.properties.required,data:data14};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
}
var _valid6 = _errs46 === errors;
valid17 = _valid6;
if(valid17){
var props6 = {};
props6.required = true;
props6.in = true;
}
}
if(!valid17){
const err28 = {instancePath,schemaPath:"#/else/allOf/5/if",keyword:"if",params:{failingKeyword: "then"},schema:schema5.else.allOf[5].if,parentSchema:schema5.else.allOf[5],data};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if(props1 !== true && props6 !== undefined){
if(props6 === true){
props1 = true;
}
else {
props1 = props1 || {};
Object.assign(props1, props6);
}
}
const _errs49 = errors;
let valid20 = true;
const _errs50 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing7;
if(((data.in === undefined) || (!(func0.call(data, "in")))) && (missing7 = "in")){
const err29 = {};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
else {
if(data.in !== undefined && func0.call(data, "in")){
if("header" !== data.in){
const err30 = {};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
}
var _valid7 = _errs50 === errors;
errors = _errs49;
if(vErrors !== null){
if(_errs49){
vErrors.length = _errs49;
}
else {
vErrors = null;
}
}
if(_valid7){
const _errs52 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name !== undefined && func0.call(data, "name")){
if(!(validate9.call(this, data.name, {instancePath:instancePath+"/name",parentData:data,parentDataProperty:"name",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate9.errors : vErrors.concat(validate9.errors);
errors = vErrors.length;
}
}
}
var _valid7 = _errs52 === errors;
valid20 = _valid7;
if(valid20){
var props7 = {};
props7.name = true;
props7.in = true;
}
}
if(!valid20){
const err31 = {instancePath,schemaPath:"#/else/allOf/6/if",keyword:"if",params:{failingKeyword: "then"},schema:schema5.else.allOf[6].if,parentSchema:schema5.else.allOf[6],data};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if(props1 !== true && props7 !== undefined){
if(props7 === true){
props1 = true;
}
else {
props1 = props1 || {};
Object.assign(props1, props7);
}
}
this.checkedValues.push({ check: "parameter", value: data, pointer: instancePath });
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.in === undefined) || (!(func0.call(data, "in")))){
const err32 = {instancePath,schemaPath:"#/else/required",keyword:"required",params:{missingProperty: "in"},schema:schema5.else.required,parentSchema:schema5.else,data};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if((data.name === undefined) || (!(func0.call(data, "name")))){
const err33 = {instancePath,schemaPath:"#/else/required",keyword:"required",params:{missingProperty: "name"},schema:schema5.else.required,parentSchema:schema5.else,data};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!(func0.call(schema5.else.properties, key0))){
const err34 = {instancePath,schemaPath:"#/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema5.else,data};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data.in !== undefined && func0.call(data, "in")){
let data17 = data.in;
if(!((((data17 === "path") || (data17 === "query")) || (data17 === "header")) || (data17 === "cookie"))){
const err35 = {instancePath:instancePath+"/in",schemaPath:"#/else/properties/in/enum",keyword:"enum",params:{allowedValues: schema5.else.properties.in.enum},schema:schema5.else.properties.in.enum,parentSchema:schema5.else.properties.in,data:data17};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data.name !== undefined && func0.call(data, "name")){
let data18 = data.name;
if(typeof data18 === "string"){
if(!pattern6.test(data18)){
const err36 = {instancePath:instancePath+"/name",schemaPath:"#/else/properties/name/pattern",keyword:"pattern",params:{pattern: "^(?!(constructor|__(define|lookup)[GS]etter__|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toString|valueOf|__proto__|toLocaleString)$)"},schema:"^(?!(constructor|__(define|lookup)[GS]etter__|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toString|valueOf|__proto__|toLocaleString)$)",parentSchema:schema5.else.properties.name,data:data18};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
else {
const err37 = {instancePath:instancePath+"/name",schemaPath:"#/else/properties/name/type",keyword:"type",params:{type: "string"},schema:schema5.else.properties.name.type,parentSchema:schema5.else.properties.name,data:data18};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
let data19 = data.description;
if(typeof data19 !== "string"){
const err38 = {instancePath:instancePath+"/description",schemaPath:"#/else/properties/description/type",keyword:"type",params:{type: "string"},schema:schema5.else.properties.description.type,parentSchema:schema5.else.properties.description,data:data19};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data.required !== undefined && func0.call(data, "required")){
let data20 = data.required;
if(typeof data20 !== "boolean"){
const err39 = {instancePath:instancePath+"/required",schemaPath:"#/else/properties/required/type",keyword:"type",params:{type: "boolean"},schema:schema5.else.properties.required.type,parentSchema:schema5.else.properties.required,data:data20};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data.deprecated !== undefined && func0.call(data, "deprecated")){
let data21 = data.deprecated;
if(typeof data21 !== "boolean"){
const err40 = {instancePath:instancePath+"/deprecated",schemaPath:"#/else/properties/deprecated/type",keyword:"type",params:{type: "boolean"},schema:schema5.else.properties.deprecated.type,parentSchema:schema5.else.properties.deprecated,data:data21};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
if(data.allowEmptyValue !== undefined && func0.call(data, "allowEmptyValue")){
let data22 = data.allowEmptyValue;
if(typeof data22 !== "boolean"){
const err41 = {instancePath:instancePath+"/allowEmptyValue",schemaPath:"#/else/properties/allowEmptyValue/type",keyword:"type",params:{type: "boolean"},schema:schema5.else.properties.allowEmptyValue.type,parentSchema:schema5.else.properties.allowEmptyValue,data:data22};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
if(data.allowReserved !== undefined && func0.call(data, "allowReserved")){
let data23 = data.allowReserved;
if(typeof data23 !== "boolean"){
const err42 = {instancePath:instancePath+"/allowReserved",schemaPath:"#/else/properties/allowReserved/type",keyword:"type",params:{type: "boolean"},schema:schema5.else.properties.allowReserved.type,parentSchema:schema5.else.properties.allowReserved,data:data23};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
if(data.explode !== undefined && func0.call(data, "explode")){
let data24 = data.explode;
if(typeof data24 !== "boolean"){
const err43 = {instancePath:instancePath+"/explode",schemaPath:"#/else/properties/explode/type",keyword:"type",params:{type: "boolean"},schema:schema5.else.properties.explode.type,parentSchema:schema5.else.properties.explode,data:data24};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
if(data.schema !== undefined && func0.call(data, "schema")){
if(!(validate11.call(this, data.schema, {instancePath:instancePath+"/schema",parentData:data,parentDataProperty:"schema",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate11.errors : vErrors.concat(validate11.errors);
errors = vErrors.length;
}
}
if(data.content !== undefined && func0.call(data, "content")){
let data26 = data.content;
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
if(Object.keys(data26).length > 1){
const err44 = {instancePath:instancePath+"/content",schemaPath:"#/else/properties/content/maxProperties",keyword:"maxProperties",params:{limit: 1},schema:1,parentSchema:schema5.else.properties.content,data:data26};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if(Object.keys(data26).length < 1){
const err45 = {instancePath:instancePath+"/content",schemaPath:"#/else/properties/content/minProperties",keyword:"minProperties",params:{limit: 1},schema:1,parentSchema:schema5.else.properties.content,data:data26};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
for(const key1 of Object.keys(data26)){
if(!(pattern9.test(key1))){
const err46 = {instancePath:instancePath+"/content",schemaPath:"#/else/properties/content/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},schema:false,parentSchema:schema5.else.properties.content,data:data26};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
for(const key2 of Object.keys(data26)){
if(pattern9.test(key2)){
let data27 = data26[key2];
if(!(validate43.call(this, data27, {instancePath:instancePath+"/content/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data26,parentDataProperty:key2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate43.errors : vErrors.concat(validate43.errors);
errors = vErrors.length;
}
else {
var props9 = validate43.evaluated.props;
}
if(data27 && typeof data27 == "object" && !Array.isArray(data27)){
if(props9 !== true){
props9 = props9 || {};
props9.itemSchema = true;
props9["x-stream"] = true;
}
if(data27.itemSchema !== undefined && func0.call(data27, "itemSchema")){
const err47 = {instancePath:instancePath+"/content/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/itemSchema",schemaPath:"#/else/properties/content/patternProperties/%5Eapplication~1(%5Ba-z0-9.-%5D%2B%5C%2B)%3Fjson%24/properties/itemSchema/not",keyword:"not",params:{},schema:schema5.else.properties.content.patternProperties["^application/([a-z0-9.-]+\\+)?json$"].properties.itemSchema.not,parentSchema:schema5.else.properties.content.patternProperties["^application/([a-z0-9.-]+\\+)?json$"].properties.itemSchema,data:data27.itemSchema};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
if(data27["x-stream"] !== undefined && func0.call(data27, "x-stream")){
const err48 = {instancePath:instancePath+"/content/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/x-stream",schemaPath:"#/else/properties/content/patternProperties/%5Eapplication~1(%5Ba-z0-9.-%5D%2B%5C%2B)%3Fjson%24/properties/x-stream/not",keyword:"not",params:{},schema:schema5.else.properties.content.patternProperties["^application/([a-z0-9.-]+\\+)?json$"].properties["x-stream"].not,parentSchema:schema5.else.properties.content.patternProperties["^application/([a-z0-9.-]+\\+)?json$"].properties["x-stream"],data:data27["x-stream"]};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
}
}
}
else {
const err49 = {instancePath:instancePath+"/content",schemaPath:"#/else/properties/content/type",keyword:"type",params:{type: "object"},schema:schema5.else.properties.content.type,parentSchema:schema5.else.properties.content,data:data26};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
if(data.examples !== undefined && func0.call(data, "examples")){
if(!(validate47.call(this, data.examples, {instancePath:instancePath+"/examples",parentData:data,parentDataProperty:"examples",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate47.errors : vErrors.concat(validate47.errors);
errors = vErrors.length;
}
}
}
else {
const err50 = {instancePath,schemaPath:"#/else/type",keyword:"type",params:{type: "object"},schema:schema5.else.type,parentSchema:schema5.else,data};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
if(valid0){
if(props0 !== true){
props0 = true;
}
}
ifClause0 = "else";
}
if(!valid0){
const err51 = {instancePath,schemaPath:"#/if",keyword:"if",params:{failingKeyword: ifClause0},schema:schema5.if,parentSchema:schema5,data};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
this.kinds.set(instancePath, "parameters");
validate6.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate6.evaluated = {"dynamicProps":true,"dynamicItems":false};

const schema20 = {"title":"Server Object","type":"object","required":["url"],"additionalProperties":false,"properties":{"name":{"type":"string"},"url":{"type":"string"},"description":{"type":"string"},"variables":{"type":"object","additionalProperties":{"$ref":"#/$defs/serverVariable"}}}};
const schema21 = {"title":"Server Variable Object","type":"object","required":["default"],"additionalProperties":false,"properties":{"default":{"type":"string"},"enum":{"type":"array","minItems":1,"items":{"type":"string"},"advice":"add a value"},"description":{"type":"string"}}};

function validate63(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate63.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.default === undefined) || (!(func0.call(data, "default")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "default"},schema:schema21.required,parentSchema:schema21,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!(((key0 === "default") || (key0 === "enum")) || (key0 === "description"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema21,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.default !== undefined && func0.call(data, "default")){
let data0 = data.default;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/default",schemaPath:"#/properties/default/type",keyword:"type",params:{type: "string"},schema:schema21.properties.default.type,parentSchema:schema21.properties.default,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.enum !== undefined && func0.call(data, "enum")){
let data1 = data.enum;
if(Array.isArray(data1)){
if(data1.length < 1){
const err3 = {instancePath:instancePath+"/enum",schemaPath:"#/properties/enum/minItems",keyword:"minItems",params:{limit: 1},schema:1,parentSchema:schema21.properties.enum,data:data1};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(typeof data2 !== "string"){
const err4 = {instancePath:instancePath+"/enum/" + i0,schemaPath:"#/properties/enum/items/type",keyword:"type",params:{type: "string"},schema:schema21.properties.enum.items.type,parentSchema:schema21.properties.enum.items,data:data2};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath:instancePath+"/enum",schemaPath:"#/properties/enum/type",keyword:"type",params:{type: "array"},schema:schema21.properties.enum.type,parentSchema:schema21.properties.enum,data:data1};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
let data3 = data.description;
if(typeof data3 !== "string"){
const err6 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},schema:schema21.properties.description.type,parentSchema:schema21.properties.description,data:data3};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},schema:schema21.type,parentSchema:schema21,data};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate63.errors = vErrors;
return errors === 0;
}
validate63.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate62(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate62.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.url === undefined) || (!(func0.call(data, "url")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "url"},schema:schema20.required,parentSchema:schema20,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!((((key0 === "name") || (key0 === "url")) || (key0 === "description")) || (key0 === "variables"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema20,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.name !== undefined && func0.call(data, "name")){
let data0 = data.name;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},schema:schema20.properties.name.type,parentSchema:schema20.properties.name,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.url !== undefined && func0.call(data, "url")){
let data1 = data.url;
if(typeof data1 !== "string"){
const err3 = {instancePath:instancePath+"/url",schemaPath:"#/properties/url/type",keyword:"type",params:{type: "string"},schema:schema20.properties.url.type,parentSchema:schema20.properties.url,data:data1};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
let data2 = data.description;
if(typeof data2 !== "string"){
const err4 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},schema:schema20.properties.description.type,parentSchema:schema20.properties.description,data:data2};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.variables !== undefined && func0.call(data, "variables")){
let data3 = data.variables;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
for(const key1 of Object.keys(data3)){
if(!(validate63.call(this, data3[key1], {instancePath:instancePath+"/variables/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data3,parentDataProperty:key1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
}
}
else {
const err5 = {instancePath:instancePath+"/variables",schemaPath:"#/properties/variables/type",keyword:"type",params:{type: "object"},schema:schema20.properties.variables.type,parentSchema:schema20.properties.variables,data:data3};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},schema:schema20.type,parentSchema:schema20,data};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate62.errors = vErrors;
return errors === 0;
}
validate62.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema22 = {"title":"Operation Object","type":"object","additionalProperties":false,"properties":{"operationId":{"type":"string","pattern":"^(?!__proto__$).","advice":"choose another name"},"tags":{"type":"array","items":{"type":"string"}},"summary":{"type":"string"},"description":{"type":"string"},"externalDocs":{"$ref":"#/$defs/externalDocs"},"parameters":{"type":"array","items":{"$ref":"#/$defs/parameter"}},"requestBody":{"$ref":"#/$defs/requestBody"},"responses":{"$ref":"#/$defs/responses"},"security":{"$ref":"#/$defs/security"},"servers":{"type":"array","items":{"$ref":"#/$defs/server"}},"callbacks":{"type":"object","additionalProperties":{"$ref":"#/$defs/callback"}},"deprecated":{"type":"boolean"},"x-deprecated-since":{"$ref":"#/$defs/date"},"x-sunset":{"$ref":"#/$defs/date"},"x-replaced-by":{"type":"string"},"x-stability-level":{"enum":["experimental","beta","stable"]}}};
const pattern12 = new RegExp("^(?!__proto__$).", "u");
const schema23 = {"kind":"requestBodies","if":{"required":["$ref"]},"then":{"$ref":"#/$defs/reference","properties":{"$ref":{"refersTo":"requestBodies"}}},"else":{"title":"Request Body Object","check":"requestBody","type":"object","required":["content"],"additionalProperties":false,"properties":{"description":{"type":"string"},"required":{"type":"boolean"},"content":{"minProperties":1,"advice":"describe a media type","$ref":"#/$defs/content"},"x-max-bytes":true,"x-max-depth":{"type":"integer","minimum":1,"maximum":1000,"advice":"use an integer from 1 to 1000"}},"if":{"properties":{"content":{"additionalProperties":{"required":["x-stream"],"properties":{"x-stream":{"const":true}}}}}},"then":{"properties":{"x-max-bytes":{"type":"integer","minimum":1,"maximum":9007199254740991,"advice":"use an integer from 1 to 9007199254740991"}}},"else":{"properties":{"x-max-bytes":{"type":"integer","minimum":1,"maximum":536870888,"advice":"use an integer from 1 to 536870888"}}}}};
const schema24 = {"title":"content","type":"object","check":"content","additionalProperties":false,"patternProperties":{"^(\\*\\/\\*|[\\w!#$&^.+-]+\\/(\\*(\\+\\w+)?|[\\w!#$&^.+-]+))[ \\t]*(;[\\t -~]*)?$":{"$ref":"#/$defs/mediaType"}},"advice":"name a media type, or a range of them, such as \"image/*\""};
const pattern13 = new RegExp("^(\\*\\/\\*|[\\w!#$&^.+-]+\\/(\\*(\\+\\w+)?|[\\w!#$&^.+-]+))[ \\t]*(;[\\t -~]*)?$", "u");

function validate71(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate71.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
this.checkedValues.push({ check: "content", value: data, pointer: instancePath });
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!(pattern13.test(key0))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema24,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
for(const key1 of Object.keys(data)){
if(pattern13.test(key1)){
if(!(validate43.call(this, data[key1], {instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data,parentDataProperty:key1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate43.errors : vErrors.concat(validate43.errors);
errors = vErrors.length;
}
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},schema:schema24.type,parentSchema:schema24,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate71.errors = vErrors;
return errors === 0;
}
validate71.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate69(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate69.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = true;
const _errs1 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.$ref === undefined) || (!(func0.call(data, "$ref")))) && (missing0 = "$ref")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs1 === errors;
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs2 = errors;
if(!(validate7.call(this, data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate7.errors : vErrors.concat(validate7.errors);
errors = vErrors.length;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.$ref !== undefined && func0.call(data, "$ref")){
this.references.push({ $ref: data.$ref, kind: "requestBodies", pointer: instancePath+"/$ref" });
}
}
var _valid0 = _errs2 === errors;
valid0 = _valid0;
if(valid0){
var props0 = true;
}
ifClause0 = "then";
}
else {
const _errs4 = errors;
const _errs6 = errors;
let valid2 = true;
const _errs7 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.content !== undefined && func0.call(data, "content")){
let data1 = data.content;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key0 of Object.keys(data1)){
let data2 = data1[key0];
const _errs10 = errors;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
let missing1;
if(((data2["x-stream"] === undefined) || (!(func0.call(data2, "x-stream")))) && (missing1 = "x-stream")){
const err1 = {};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
else {
if(data2["x-stream"] !== undefined && func0.call(data2, "x-stream")){
if(true !== data2["x-stream"]){
const err2 = {};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
}
var valid4 = _errs10 === errors;
if(!valid4){
break;
}
}
}
}
}
var _valid1 = _errs7 === errors;
errors = _errs6;
if(vErrors !== null){
if(_errs6){
vErrors.length = _errs6;
}
else {
vErrors = null;
}
}
let ifClause1;
if(_valid1){
const _errs12 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data["x-max-bytes"] !== undefined && func0.call(data, "x-max-bytes")){
let data4 = data["x-max-bytes"];
if(!((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4)))){
const err3 = {instancePath:instancePath+"/x-max-bytes",schemaPath:"#/else/then/properties/x-max-bytes/type",keyword:"type",params:{type: "integer"},schema:schema23.else.then.properties["x-max-bytes"].type,parentSchema:schema23.else.then.properties["x-max-bytes"],data:data4};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(typeof data4 == "number"){
if(data4 > 9007199254740991 || isNaN(data4)){
const err4 = {instancePath:instancePath+"/x-max-bytes",schemaPath:"#/else/then/properties/x-max-bytes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},schema:9007199254740991,parentSchema:schema23.else.then.properties["x-max-bytes"],data:data4};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data4 < 1 || isNaN(data4)){
const err5 = {instancePath:instancePath+"/x-max-bytes",schemaPath:"#/else/then/properties/x-max-bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},schema:1,parentSchema:schema23.else.then.properties["x-max-bytes"],data:data4};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
}
var _valid1 = _errs12 === errors;
valid2 = _valid1;
if(valid2){
var props1 = {};
props1["x-max-bytes"] = true;
props1.content = true;
}
ifClause1 = "then";
}
else {
const _errs15 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data["x-max-bytes"] !== undefined && func0.call(data, "x-max-bytes")){
let data5 = data["x-max-bytes"];
if(!((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5)))){
const err6 = {instancePath:instancePath+"/x-max-bytes",schemaPath:"#/else/else/properties/x-max-bytes/type",keyword:"type",params:{type: "integer"},schema:schema23.else.else.properties["x-max-bytes"].type,parentSchema:schema23.else.else.properties["x-max-bytes"],data:data5};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(typeof data5 == "number"){
if(data5 > 536870888 || isNaN(data5)){
const err7 = {instancePath:instancePath+"/x-max-bytes",schemaPath:"#/else/else/properties/x-max-bytes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 536870888},schema:536870888,parentSchema:schema23.else.else.properties["x-max-bytes"],data:data5};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data5 < 1 || isNaN(data5)){
const err8 = {instancePath:instancePath+"/x-max-bytes",schemaPath:"#/else/else/properties/x-max-bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},schema:1,parentSchema:schema23.else.else.properties["x-max-bytes"],data:data5};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
}
var _valid1 = _errs15 === errors;
valid2 = _valid1;
if(valid2){
if(props1 !== true){
props1 = props1 || {};
props1["x-max-bytes"] = true;
}
}
ifClause1 = "else";
}
if(!valid2){
const err9 = {instancePath,schemaPath:"#/else/if",keyword:"if",params:{failingKeyword: ifClause1},schema:schema23.else.if,parentSchema:schema23.else,data};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
this.checkedValues.push({ check: "requestBody", value: data, pointer: instancePath });
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.content === undefined) || (!(func0.call(data, "content")))){
const err10 = {instancePath,schemaPath:"#/else/required",keyword:"required",params:{missingProperty: "content"},schema:schema23.else.required,parentSchema:schema23.else,data};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
for(const key1 of Object.keys(data)){
if(!(((((key1 === "description") || (key1 === "required")) || (key1 === "content")) || (key1 === "x-max-bytes")) || (key1 === "x-max-depth"))){
const err11 = {instancePath,schemaPath:"#/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},schema:false,parentSchema:schema23.else,data};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
let data6 = data.description;
if(typeof data6 !== "string"){
const err12 = {instancePath:instancePath+"/description",schemaPath:"#/else/properties/description/type",keyword:"type",params:{type: "string"},schema:schema23.else.properties.description.type,parentSchema:schema23.else.properties.description,data:data6};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.required !== undefined && func0.call(data, "required")){
let data7 = data.required;
if(typeof data7 !== "boolean"){
const err13 = {instancePath:instancePath+"/required",schemaPath:"#/else/properties/required/type",keyword:"type",params:{type: "boolean"},schema:schema23.else.properties.required.type,parentSchema:schema23.else.properties.required,data:data7};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.content !== undefined && func0.call(data, "content")){
let data8 = data.content;
if(!(validate71.call(this, data8, {instancePath:instancePath+"/content",parentData:data,parentDataProperty:"content",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate71.errors : vErrors.concat(validate71.errors);
errors = vErrors.length;
}
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
if(Object.keys(data8).length < 1){
const err14 = {instancePath:instancePath+"/content",schemaPath:"#/else/properties/content/minProperties",keyword:"minProperties",params:{limit: 1},schema:1,parentSchema:schema23.else.properties.content,data:data8};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
if(data["x-max-depth"] !== undefined && func0.call(data, "x-max-depth")){
let data9 = data["x-max-depth"];
if(!((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9)))){
const err15 = {instancePath:instancePath+"/x-max-depth",schemaPath:"#/else/properties/x-max-depth/type",keyword:"type",params:{type: "integer"},schema:schema23.else.properties["x-max-depth"].type,parentSchema:schema23.else.properties["x-max-depth"],data:data9};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(typeof data9 == "number"){
if(data9 > 1000 || isNaN(data9)){
const err16 = {instancePath:instancePath+"/x-max-depth",schemaPath:"#/else/properties/x-max-depth/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},schema:1000,parentSchema:schema23.else.properties["x-max-depth"],data:data9};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(data9 < 1 || isNaN(data9)){
const err17 = {instancePath:instancePath+"/x-max-depth",schemaPath:"#/else/properties/x-max-depth/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},schema:1,parentSchema:schema23.else.properties["x-max-depth"],data:data9};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
}
else {
const err18 = {instancePath,schemaPath:"#/else/type",keyword:"type",params:{type: "object"},schema:schema23.else.type,parentSchema:schema23.else,data};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
if(valid0){
if(props0 !== true){
props0 = true;
}
}
ifClause0 = "else";
}
if(!valid0){
const err19 = {instancePath,schemaPath:"#/if",keyword:"if",params:{failingKeyword: ifClause0},schema:schema23.if,parentSchema:schema23,data};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
this.kinds.set(instancePath, "requestBodies");
validate69.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate69.evaluated = {"dynamicProps":true,"dynamicItems":false};

const schema25 = {"title":"Responses Object","type":"object","check":"responses","minProperties":1,"additionalProperties":false,"patternProperties":{"^([1-5]([0-9]{2}|XX)|default)$":{"$ref":"#/$defs/response"}},"advice":"name a status from \"100\" to \"599\", a class from \"1XX\" to \"5XX\" or \"default\""};
const pattern15 = new RegExp("^([1-5]([0-9]{2}|XX)|default)$", "u");
const schema26 = {"kind":"responses","if":{"required":["$ref"]},"then":{"$ref":"#/$defs/reference","properties":{"$ref":{"refersTo":"responses"}}},"else":{"title":"Response Object","check":"response","type":"object","required":["description"],"additionalProperties":false,"properties":{"description":{"type":"string"},"summary":{"type":"string"},"content":{"$ref":"#/$defs/content","additionalProperties":{"properties":{"x-stream":{"not":{},"advice":"remove it: only bodies of requests are streamed"}}}},"links":{"type":"object","additionalProperties":{"$ref":"#/$defs/unserved"}},"headers":{"$ref":"#/$defs/headers"}}}};
const schema27 = {"properties":{"$ref":{"if":{"type":"string","pattern":"^#\\/components\\/"},"then":{"refersTo":"any"}}},"additionalProperties":{"$ref":"#/$defs/unserved"},"items":{"$ref":"#/$defs/unserved"}};
const wrapper13 = {validate: validate79};
const pattern17 = new RegExp("^#\\/components\\/", "u");

function validate79(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate79.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(Array.isArray(data)){
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
if(!(wrapper13.validate.call(this, data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper13.validate.errors : vErrors.concat(wrapper13.validate.errors);
errors = vErrors.length;
}
}
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!(key0 === "$ref")){
if(!(wrapper13.validate.call(this, data[key0], {instancePath:instancePath+"/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data,parentDataProperty:key0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper13.validate.errors : vErrors.concat(wrapper13.validate.errors);
errors = vErrors.length;
}
}
}
if(data.$ref !== undefined && func0.call(data, "$ref")){
let data2 = data.$ref;
const _errs4 = errors;
let valid4 = true;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data2 === "string"){
if(!pattern17.test(data2)){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
var _valid0 = _errs5 === errors;
errors = _errs4;
if(vErrors !== null){
if(_errs4){
vErrors.length = _errs4;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs7 = errors;
this.references.push({ $ref: data2, kind: "any", pointer: instancePath+"/$ref" });
var _valid0 = _errs7 === errors;
valid4 = _valid0;
}
if(!valid4){
const err2 = {instancePath:instancePath+"/$ref",schemaPath:"#/properties/%24ref/if",keyword:"if",params:{failingKeyword: "then"},schema:schema27.properties.$ref.if,parentSchema:schema27.properties.$ref,data:data2};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
validate79.errors = vErrors;
return errors === 0;
}
validate79.evaluated = {"props":true,"items":true,"dynamicProps":false,"dynamicItems":false};


function validate76(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate76.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = true;
const _errs1 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.$ref === undefined) || (!(func0.call(data, "$ref")))) && (missing0 = "$ref")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs1 === errors;
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs2 = errors;
if(!(validate7.call(this, data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate7.errors : vErrors.concat(validate7.errors);
errors = vErrors.length;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.$ref !== undefined && func0.call(data, "$ref")){
this.references.push({ $ref: data.$ref, kind: "responses", pointer: instancePath+"/$ref" });
}
}
var _valid0 = _errs2 === errors;
valid0 = _valid0;
if(valid0){
var props0 = true;
}
ifClause0 = "then";
}
else {
const _errs4 = errors;
this.checkedValues.push({ check: "response", value: data, pointer: instancePath });
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.description === undefined) || (!(func0.call(data, "description")))){
const err1 = {instancePath,schemaPath:"#/else/required",keyword:"required",params:{missingProperty: "description"},schema:schema26.else.required,parentSchema:schema26.else,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!(((((key0 === "description") || (key0 === "summary")) || (key0 === "content")) || (key0 === "links")) || (key0 === "headers"))){
const err2 = {instancePath,schemaPath:"#/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema26.else,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
let data1 = data.description;
if(typeof data1 !== "string"){
const err3 = {instancePath:instancePath+"/description",schemaPath:"#/else/properties/description/type",keyword:"type",params:{type: "string"},schema:schema26.else.properties.description.type,parentSchema:schema26.else.properties.description,data:data1};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.summary !== undefined && func0.call(data, "summary")){
let data2 = data.summary;
if(typeof data2 !== "string"){
const err4 = {instancePath:instancePath+"/summary",schemaPath:"#/else/properties/summary/type",keyword:"type",params:{type: "string"},schema:schema26.else.properties.summary.type,parentSchema:schema26.else.properties.summary,data:data2};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.content !== undefined && func0.call(data, "content")){
let data3 = data.content;
if(!(validate71.call(this, data3, {instancePath:instancePath+"/content",parentData:data,parentDataProperty:"content",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate71.errors : vErrors.concat(validate71.errors);
errors = vErrors.length;
}
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
for(const key1 of Object.keys(data3)){
let data4 = data3[key1];
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4["x-stream"] !== undefined && func0.call(data4, "x-stream")){
const err5 = {instancePath:instancePath+"/content/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/x-stream",schemaPath:"#/else/properties/content/additionalProperties/properties/x-stream/not",keyword:"not",params:{},schema:schema26.else.properties.content.additionalProperties.properties["x-stream"].not,parentSchema:schema26.else.properties.content.additionalProperties.properties["x-stream"],data:data4["x-stream"]};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
}
}
if(data.links !== undefined && func0.call(data, "links")){
let data6 = data.links;
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
for(const key2 of Object.keys(data6)){
if(!(validate79.call(this, data6[key2], {instancePath:instancePath+"/links/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data6,parentDataProperty:key2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate79.errors : vErrors.concat(validate79.errors);
errors = vErrors.length;
}
}
}
else {
const err6 = {instancePath:instancePath+"/links",schemaPath:"#/else/properties/links/type",keyword:"type",params:{type: "object"},schema:schema26.else.properties.links.type,parentSchema:schema26.else.properties.links,data:data6};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.headers !== undefined && func0.call(data, "headers")){
if(!(validate52.call(this, data.headers, {instancePath:instancePath+"/headers",parentData:data,parentDataProperty:"headers",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate52.errors : vErrors.concat(validate52.errors);
errors = vErrors.length;
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/else/type",keyword:"type",params:{type: "object"},schema:schema26.else.type,parentSchema:schema26.else,data};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
if(valid0){
if(props0 !== true){
props0 = true;
}
}
ifClause0 = "else";
}
if(!valid0){
const err8 = {instancePath,schemaPath:"#/if",keyword:"if",params:{failingKeyword: ifClause0},schema:schema26.if,parentSchema:schema26,data};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
this.kinds.set(instancePath, "responses");
validate76.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate76.evaluated = {"dynamicProps":true,"dynamicItems":false};


function validate75(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate75.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
this.checkedValues.push({ check: "responses", value: data, pointer: instancePath });
if(data && typeof data == "object" && !Array.isArray(data)){
if(Object.keys(data).length < 1){
const err0 = {instancePath,schemaPath:"#/minProperties",keyword:"minProperties",params:{limit: 1},schema:1,parentSchema:schema25,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!(pattern15.test(key0))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema25,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
for(const key1 of Object.keys(data)){
if(pattern15.test(key1)){
if(!(validate76.call(this, data[key1], {instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data,parentDataProperty:key1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
errors = vErrors.length;
}
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},schema:schema25.type,parentSchema:schema25,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate75.errors = vErrors;
return errors === 0;
}
validate75.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema28 = {"type":"array","items":{"title":"Security Requirement Object","type":"object","check":"security","additionalProperties":{"type":"array","items":{"type":"string","pattern":"^[!#-[\\]-~]+$","advice":"use printable ASCII characters without spaces, quotes and backslashes"}}}};
const pattern18 = new RegExp("^[!#-[\\]-~]+$", "u");

function validate84(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate84.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(Array.isArray(data)){
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
let data0 = data[i0];
this.checkedValues.push({ check: "security", value: data0, pointer: instancePath+"/" + i0 });
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key0 of Object.keys(data0)){
let data1 = data0[key0];
if(Array.isArray(data1)){
const len1 = data1.length;
for(let i1=0; i1<len1; i1++){
let data2 = data1[i1];
if(typeof data2 === "string"){
if(!pattern18.test(data2)){
const err0 = {instancePath:instancePath+"/" + i0+"/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i1,schemaPath:"#/items/additionalProperties/items/pattern",keyword:"pattern",params:{pattern: "^[!#-[\\]-~]+$"},schema:"^[!#-[\\]-~]+$",parentSchema:schema28.items.additionalProperties.items,data:data2};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath:instancePath+"/" + i0+"/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + i1,schemaPath:"#/items/additionalProperties/items/type",keyword:"type",params:{type: "string"},schema:schema28.items.additionalProperties.items.type,parentSchema:schema28.items.additionalProperties.items,data:data2};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath:instancePath+"/" + i0+"/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/items/additionalProperties/type",keyword:"type",params:{type: "array"},schema:schema28.items.additionalProperties.type,parentSchema:schema28.items.additionalProperties,data:data1};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/type",keyword:"type",params:{type: "object"},schema:schema28.items.type,parentSchema:schema28.items,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},schema:schema28.type,parentSchema:schema28,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate84.errors = vErrors;
return errors === 0;
}
validate84.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

const schema29 = {"kind":"callbacks","if":{"required":["$ref"]},"then":{"$ref":"#/$defs/reference","properties":{"$ref":{"refersTo":"callbacks"}}},"else":{"title":"Callback Object","type":"object","patternProperties":{"^(?!x-)":{"$ref":"#/$defs/pathItem"}}}};
const pattern19 = new RegExp("^(?!x-)", "u");
const wrapper15 = {validate: validate5};

function validate87(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate87.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = true;
const _errs1 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.$ref === undefined) || (!(func0.call(data, "$ref")))) && (missing0 = "$ref")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs1 === errors;
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs2 = errors;
if(!(validate7.call(this, data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate7.errors : vErrors.concat(validate7.errors);
errors = vErrors.length;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.$ref !== undefined && func0.call(data, "$ref")){
this.references.push({ $ref: data.$ref, kind: "callbacks", pointer: instancePath+"/$ref" });
}
}
var _valid0 = _errs2 === errors;
valid0 = _valid0;
if(valid0){
var props0 = true;
}
ifClause0 = "then";
}
else {
const _errs4 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
var props1 = {};
for(const key0 of Object.keys(data)){
if(pattern19.test(key0)){
if(!(wrapper15.validate.call(this, data[key0], {instancePath:instancePath+"/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data,parentDataProperty:key0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper15.validate.errors : vErrors.concat(wrapper15.validate.errors);
errors = vErrors.length;
}
props1[key0] = true;
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/else/type",keyword:"type",params:{type: "object"},schema:schema29.else.type,parentSchema:schema29.else,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
if(valid0){
if(props0 !== true && props1 !== undefined){
if(props1 === true){
props0 = true;
}
else {
props0 = props0 || {};
Object.assign(props0, props1);
}
}
}
ifClause0 = "else";
}
if(!valid0){
const err2 = {instancePath,schemaPath:"#/if",keyword:"if",params:{failingKeyword: ifClause0},schema:schema29.if,parentSchema:schema29,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
this.kinds.set(instancePath, "callbacks");
validate87.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate87.evaluated = {"dynamicProps":true,"dynamicItems":false};

const schema30 = {"type":"string","format":"date","advice":"write a date as YYYY-MM-DD"};

function validate90(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate90.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!this.formats.get("date")(data)){
const err0 = {instancePath,schemaPath:"#/format",keyword:"format",params:{},schema:"date",parentSchema:schema30,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},schema:schema30.type,parentSchema:schema30,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate90.errors = vErrors;
return errors === 0;
}
validate90.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate66(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate66.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!(func0.call(schema22.properties, key0))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema22,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.operationId !== undefined && func0.call(data, "operationId")){
let data0 = data.operationId;
if(typeof data0 === "string"){
if(!pattern12.test(data0)){
const err1 = {instancePath:instancePath+"/operationId",schemaPath:"#/properties/operationId/pattern",keyword:"pattern",params:{pattern: "^(?!__proto__$)."},schema:"^(?!__proto__$).",parentSchema:schema22.properties.operationId,data:data0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath:instancePath+"/operationId",schemaPath:"#/properties/operationId/type",keyword:"type",params:{type: "string"},schema:schema22.properties.operationId.type,parentSchema:schema22.properties.operationId,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.tags !== undefined && func0.call(data, "tags")){
let data1 = data.tags;
if(Array.isArray(data1)){
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(typeof data2 !== "string"){
const err3 = {instancePath:instancePath+"/tags/" + i0,schemaPath:"#/properties/tags/items/type",keyword:"type",params:{type: "string"},schema:schema22.properties.tags.items.type,parentSchema:schema22.properties.tags.items,data:data2};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/type",keyword:"type",params:{type: "array"},schema:schema22.properties.tags.type,parentSchema:schema22.properties.tags,data:data1};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.summary !== undefined && func0.call(data, "summary")){
let data3 = data.summary;
if(typeof data3 !== "string"){
const err5 = {instancePath:instancePath+"/summary",schemaPath:"#/properties/summary/type",keyword:"type",params:{type: "string"},schema:schema22.properties.summary.type,parentSchema:schema22.properties.summary,data:data3};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
let data4 = data.description;
if(typeof data4 !== "string"){
const err6 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},schema:schema22.properties.description.type,parentSchema:schema22.properties.description,data:data4};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.externalDocs !== undefined && func0.call(data, "externalDocs")){
if(!(validate14.call(this, data.externalDocs, {instancePath:instancePath+"/externalDocs",parentData:data,parentDataProperty:"externalDocs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate14.errors : vErrors.concat(validate14.errors);
errors = vErrors.length;
}
}
if(data.parameters !== undefined && func0.call(data, "parameters")){
let data6 = data.parameters;
if(Array.isArray(data6)){
const len1 = data6.length;
for(let i1=0; i1<len1; i1++){
if(!(validate6.call(this, data6[i1], {instancePath:instancePath+"/parameters/" + i1,parentData:data6,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate6.errors : vErrors.concat(validate6.errors);
errors = vErrors.length;
}
}
}
else {
const err7 = {instancePath:instancePath+"/parameters",schemaPath:"#/properties/parameters/type",keyword:"type",params:{type: "array"},schema:schema22.properties.parameters.type,parentSchema:schema22.properties.parameters,data:data6};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.requestBody !== undefined && func0.call(data, "requestBody")){
if(!(validate69.call(this, data.requestBody, {instancePath:instancePath+"/requestBody",parentData:data,parentDataProperty:"requestBody",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate69.errors : vErrors.concat(validate69.errors);
errors = vErrors.length;
}
}
if(data.responses !== undefined && func0.call(data, "responses")){
if(!(validate75.call(this, data.responses, {instancePath:instancePath+"/responses",parentData:data,parentDataProperty:"responses",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate75.errors : vErrors.concat(validate75.errors);
errors = vErrors.length;
}
}
if(data.security !== undefined && func0.call(data, "security")){
if(!(validate84.call(this, data.security, {instancePath:instancePath+"/security",parentData:data,parentDataProperty:"security",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors);
errors = vErrors.length;
}
}
if(data.servers !== undefined && func0.call(data, "servers")){
let data11 = data.servers;
if(Array.isArray(data11)){
const len2 = data11.length;
for(let i2=0; i2<len2; i2++){
if(!(validate62.call(this, data11[i2], {instancePath:instancePath+"/servers/" + i2,parentData:data11,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
}
}
else {
const err8 = {instancePath:instancePath+"/servers",schemaPath:"#/properties/servers/type",keyword:"type",params:{type: "array"},schema:schema22.properties.servers.type,parentSchema:schema22.properties.servers,data:data11};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.callbacks !== undefined && func0.call(data, "callbacks")){
let data13 = data.callbacks;
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
for(const key1 of Object.keys(data13)){
if(!(validate87.call(this, data13[key1], {instancePath:instancePath+"/callbacks/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data13,parentDataProperty:key1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate87.errors : vErrors.concat(validate87.errors);
errors = vErrors.length;
}
}
}
else {
const err9 = {instancePath:instancePath+"/callbacks",schemaPath:"#/properties/callbacks/type",keyword:"type",params:{type: "object"},schema:schema22.properties.callbacks.type,parentSchema:schema22.properties.callbacks,data:data13};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.deprecated !== undefined && func0.call(data, "deprecated")){
let data15 = data.deprecated;
if(typeof data15 !== "boolean"){
const err10 = {instancePath:instancePath+"/deprecated",schemaPath:"#/properties/deprecated/type",keyword:"type",params:{type: "boolean"},schema:schema22.properties.deprecated.type,parentSchema:schema22.properties.deprecated,data:data15};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data["x-deprecated-since"] !== undefined && func0.call(data, "x-deprecated-since")){
if(!(validate90.call(this, data["x-deprecated-since"], {instancePath:instancePath+"/x-deprecated-since",parentData:data,parentDataProperty:"x-deprecated-since",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate90.errors : vErrors.concat(validate90.errors);
errors = vErrors.length;
}
}
if(data["x-sunset"] !== undefined && func0.call(data, "x-sunset")){
if(!(validate90.call(this, data["x-sunset"], {instancePath:instancePath+"/x-sunset",parentData:data,parentDataProperty:"x-sunset",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate90.errors : vErrors.concat(validate90.errors);
errors = vErrors.length;
}
}
if(data["x-replaced-by"] !== undefined && func0.call(data, "x-replaced-by")){
let data18 = data["x-replaced-by"];
if(typeof data18 !== "string"){
const err11 = {instancePath:instancePath+"/x-replaced-by",schemaPath:"#/properties/x-replaced-by/type",keyword:"type",params:{type: "string"},schema:schema22.properties["x-replaced-by"].type,parentSchema:schema22.properties["x-replaced-by"],data:data18};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data["x-stability-level"] !== undefined && func0.call(data, "x-stability-level")){
let data19 = data["x-stability-level"];
if(!(((data19 === "experimental") || (data19 === "beta")) || (data19 === "stable"))){
const err12 = {instancePath:instancePath+"/x-stability-level",schemaPath:"#/properties/x-stability-level/enum",keyword:"enum",params:{allowedValues: schema22.properties["x-stability-level"].enum},schema:schema22.properties["x-stability-level"].enum,parentSchema:schema22.properties["x-stability-level"],data:data19};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},schema:schema22.type,parentSchema:schema22,data};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate66.errors = vErrors;
return errors === 0;
}
validate66.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate5(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate5.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
this.kinds.set(instancePath, "pathItems");
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!(func0.call(schema4.properties, key0))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema4,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.$ref !== undefined && func0.call(data, "$ref")){
let data0 = data.$ref;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/$ref",schemaPath:"#/properties/%24ref/type",keyword:"type",params:{type: "string"},schema:schema4.properties.$ref.type,parentSchema:schema4.properties.$ref,data:data0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
this.references.push({ $ref: data0, kind: "pathItems", pointer: instancePath+"/$ref" });
}
if(data.summary !== undefined && func0.call(data, "summary")){
let data1 = data.summary;
if(typeof data1 !== "string"){
const err2 = {instancePath:instancePath+"/summary",schemaPath:"#/properties/summary/type",keyword:"type",params:{type: "string"},schema:schema4.properties.summary.type,parentSchema:schema4.properties.summary,data:data1};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
let data2 = data.description;
if(typeof data2 !== "string"){
const err3 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},schema:schema4.properties.description.type,parentSchema:schema4.properties.description,data:data2};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.parameters !== undefined && func0.call(data, "parameters")){
let data3 = data.parameters;
if(Array.isArray(data3)){
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
if(!(validate6.call(this, data3[i0], {instancePath:instancePath+"/parameters/" + i0,parentData:data3,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate6.errors : vErrors.concat(validate6.errors);
errors = vErrors.length;
}
}
}
else {
const err4 = {instancePath:instancePath+"/parameters",schemaPath:"#/properties/parameters/type",keyword:"type",params:{type: "array"},schema:schema4.properties.parameters.type,parentSchema:schema4.properties.parameters,data:data3};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.servers !== undefined && func0.call(data, "servers")){
let data5 = data.servers;
if(Array.isArray(data5)){
const len1 = data5.length;
for(let i1=0; i1<len1; i1++){
if(!(validate62.call(this, data5[i1], {instancePath:instancePath+"/servers/" + i1,parentData:data5,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
}
}
else {
const err5 = {instancePath:instancePath+"/servers",schemaPath:"#/properties/servers/type",keyword:"type",params:{type: "array"},schema:schema4.properties.servers.type,parentSchema:schema4.properties.servers,data:data5};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.head !== undefined && func0.call(data, "head")){
let data7 = data.head;
if(!(validate66.call(this, data7, {instancePath:instancePath+"/head",parentData:data,parentDataProperty:"head",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
errors = vErrors.length;
}
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if(data7.requestBody !== undefined && func0.call(data7, "requestBody")){
const err6 = {instancePath:instancePath+"/head/requestBody",schemaPath:"#/properties/head/properties/requestBody/not",keyword:"not",params:{},schema:schema4.properties.head.properties.requestBody.not,parentSchema:schema4.properties.head.properties.requestBody,data:data7.requestBody};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
if(data.get !== undefined && func0.call(data, "get")){
if(!(validate66.call(this, data.get, {instancePath:instancePath+"/get",parentData:data,parentDataProperty:"get",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
errors = vErrors.length;
}
}
if(data.put !== undefined && func0.call(data, "put")){
if(!(validate66.call(this, data.put, {instancePath:instancePath+"/put",parentData:data,parentDataProperty:"put",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
errors = vErrors.length;
}
}
if(data.post !== undefined && func0.call(data, "post")){
if(!(validate66.call(this, data.post, {instancePath:instancePath+"/post",parentData:data,parentDataProperty:"post",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
errors = vErrors.length;
}
}
if(data.delete !== undefined && func0.call(data, "delete")){
if(!(validate66.call(this, data.delete, {instancePath:instancePath+"/delete",parentData:data,parentDataProperty:"delete",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
errors = vErrors.length;
}
}
if(data.patch !== undefined && func0.call(data, "patch")){
if(!(validate66.call(this, data.patch, {instancePath:instancePath+"/patch",parentData:data,parentDataProperty:"patch",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
errors = vErrors.length;
}
}
if(data.options !== undefined && func0.call(data, "options")){
if(!(validate66.call(this, data.options, {instancePath:instancePath+"/options",parentData:data,parentDataProperty:"options",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
errors = vErrors.length;
}
}
if(data.trace !== undefined && func0.call(data, "trace")){
let data15 = data.trace;
if(!(validate66.call(this, data15, {instancePath:instancePath+"/trace",parentData:data,parentDataProperty:"trace",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
errors = vErrors.length;
}
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
if(data15.requestBody !== undefined && func0.call(data15, "requestBody")){
const err7 = {instancePath:instancePath+"/trace/requestBody",schemaPath:"#/properties/trace/properties/requestBody/not",keyword:"not",params:{},schema:schema4.properties.trace.properties.requestBody.not,parentSchema:schema4.properties.trace.properties.requestBody,data:data15.requestBody};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
if(data.query !== undefined && func0.call(data, "query")){
if(!(validate66.call(this, data.query, {instancePath:instancePath+"/query",parentData:data,parentDataProperty:"query",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
errors = vErrors.length;
}
}
if(data.additionalOperations !== undefined && func0.call(data, "additionalOperations")){
let data18 = data.additionalOperations;
if(data18 && typeof data18 == "object" && !Array.isArray(data18)){
for(const key1 of Object.keys(data18)){
const _errs29 = errors;
if(!(((((((((((((((((((((((((key1 === "ACL") || (key1 === "BIND")) || (key1 === "CHECKOUT")) || (key1 === "COPY")) || (key1 === "LINK")) || (key1 === "LOCK")) || (key1 === "M-SEARCH")) || (key1 === "MERGE")) || (key1 === "MKACTIVITY")) || (key1 === "MKCALENDAR")) || (key1 === "MKCOL")) || (key1 === "MOVE")) || (key1 === "NOTIFY")) || (key1 === "PROPFIND")) || (key1 === "PROPPATCH")) || (key1 === "PURGE")) || (key1 === "REBIND")) || (key1 === "REPORT")) || (key1 === "SEARCH")) || (key1 === "SOURCE")) || (key1 === "SUBSCRIBE")) || (key1 === "UNBIND")) || (key1 === "UNLINK")) || (key1 === "UNLOCK")) || (key1 === "UNSUBSCRIBE"))){
const err8 = {instancePath:instancePath+"/additionalOperations",schemaPath:"#/properties/additionalOperations/propertyNames/enum",keyword:"enum",params:{allowedValues: schema4.properties.additionalOperations.propertyNames.enum},schema:schema4.properties.additionalOperations.propertyNames.enum,parentSchema:schema4.properties.additionalOperations.propertyNames,data:key1,propertyName:key1};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
var valid7 = _errs29 === errors;
if(!valid7){
const err9 = {instancePath:instancePath+"/additionalOperations",schemaPath:"#/properties/additionalOperations/propertyNames",keyword:"propertyNames",params:{propertyName: key1},schema:schema4.properties.additionalOperations.propertyNames,parentSchema:schema4.properties.additionalOperations,data:data18};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
for(const key2 of Object.keys(data18)){
if(!(validate66.call(this, data18[key2], {instancePath:instancePath+"/additionalOperations/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data18,parentDataProperty:key2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate66.errors : vErrors.concat(validate66.errors);
errors = vErrors.length;
}
}
}
else {
const err10 = {instancePath:instancePath+"/additionalOperations",schemaPath:"#/properties/additionalOperations/type",keyword:"type",params:{type: "object"},schema:schema4.properties.additionalOperations.type,parentSchema:schema4.properties.additionalOperations,data:data18};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},schema:schema4.type,parentSchema:schema4,data};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validate5.errors = vErrors;
return errors === 0;
}
validate5.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate4(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate4.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
this.checkedValues.push({ check: "paths", value: data, pointer: instancePath });
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!(pattern2.test(key0))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema3,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
for(const key1 of Object.keys(data)){
if(pattern2.test(key1)){
if(!(validate5.call(this, data[key1], {instancePath:instancePath+"/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data,parentDataProperty:key1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate5.errors : vErrors.concat(validate5.errors);
errors = vErrors.length;
}
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},schema:schema3.type,parentSchema:schema3,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate4.errors = vErrors;
return errors === 0;
}
validate4.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema31 = {"title":"Tag Object","type":"object","required":["name"],"additionalProperties":false,"properties":{"name":{"type":"string"},"summary":{"type":"string"},"description":{"type":"string"},"externalDocs":{"$ref":"#/$defs/externalDocs"},"parent":{"type":"string"},"kind":{"type":"string"}}};

function validate106(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate106.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.name === undefined) || (!(func0.call(data, "name")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},schema:schema31.required,parentSchema:schema31,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!((((((key0 === "name") || (key0 === "summary")) || (key0 === "description")) || (key0 === "externalDocs")) || (key0 === "parent")) || (key0 === "kind"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema31,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.name !== undefined && func0.call(data, "name")){
let data0 = data.name;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},schema:schema31.properties.name.type,parentSchema:schema31.properties.name,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.summary !== undefined && func0.call(data, "summary")){
let data1 = data.summary;
if(typeof data1 !== "string"){
const err3 = {instancePath:instancePath+"/summary",schemaPath:"#/properties/summary/type",keyword:"type",params:{type: "string"},schema:schema31.properties.summary.type,parentSchema:schema31.properties.summary,data:data1};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
let data2 = data.description;
if(typeof data2 !== "string"){
const err4 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},schema:schema31.properties.description.type,parentSchema:schema31.properties.description,data:data2};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.externalDocs !== undefined && func0.call(data, "externalDocs")){
if(!(validate14.call(this, data.externalDocs, {instancePath:instancePath+"/externalDocs",parentData:data,parentDataProperty:"externalDocs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate14.errors : vErrors.concat(validate14.errors);
errors = vErrors.length;
}
}
if(data.parent !== undefined && func0.call(data, "parent")){
let data4 = data.parent;
if(typeof data4 !== "string"){
const err5 = {instancePath:instancePath+"/parent",schemaPath:"#/properties/parent/type",keyword:"type",params:{type: "string"},schema:schema31.properties.parent.type,parentSchema:schema31.properties.parent,data:data4};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.kind !== undefined && func0.call(data, "kind")){
let data5 = data.kind;
if(typeof data5 !== "string"){
const err6 = {instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/type",keyword:"type",params:{type: "string"},schema:schema31.properties.kind.type,parentSchema:schema31.properties.kind,data:data5};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},schema:schema31.type,parentSchema:schema31,data};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate106.errors = vErrors;
return errors === 0;
}
validate106.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema32 = {"title":"Components Object","type":"object","additionalProperties":false,"properties":{"schemas":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/schema"}},"parameters":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/parameter"}},"requestBodies":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/requestBody"}},"responses":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/response"}},"headers":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/header"}},"securitySchemes":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/securityScheme"}},"examples":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/example"}},"pathItems":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/pathItem"}},"links":{"$ref":"#/$defs/named","additionalProperties":{"kind":"links","$ref":"#/$defs/unserved"}},"callbacks":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/callback"}},"mediaTypes":{"$ref":"#/$defs/named","additionalProperties":{"$ref":"#/$defs/mediaType"}}}};
const schema33 = {"title":"components","type":"object","propertyNames":{"pattern":"^[a-zA-Z0-9._-]+$","advice":"use letters, digits, \".\", \"_\" and \"-\""}};
const pattern20 = new RegExp("^[a-zA-Z0-9._-]+$", "u");

function validate113(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate113.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
const _errs1 = errors;
if(typeof key0 === "string"){
if(!pattern20.test(key0)){
const err0 = {instancePath,schemaPath:"#/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[a-zA-Z0-9._-]+$"},schema:"^[a-zA-Z0-9._-]+$",parentSchema:schema33.propertyNames,data:key0,propertyName:key0};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var valid0 = _errs1 === errors;
if(!valid0){
const err1 = {instancePath,schemaPath:"#/propertyNames",keyword:"propertyNames",params:{propertyName: key0},schema:schema33.propertyNames,parentSchema:schema33,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},schema:schema33.type,parentSchema:schema33,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate113.errors = vErrors;
return errors === 0;
}
validate113.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema34 = {"kind":"securitySchemes","if":{"required":["$ref"]},"then":{"$ref":"#/$defs/reference","properties":{"$ref":{"refersTo":"securitySchemes"}}},"else":{"title":"Security Scheme Object","type":"object","required":["type"],"additionalProperties":false,"properties":{"type":{"enum":["http","apiKey","oauth2","openIdConnect","mutualTLS"]},"description":{"type":"string"},"deprecated":{"type":"boolean"},"scheme":{"type":"string","pattern":"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$","advice":"name an HTTP authentication scheme, such as \"bearer\""},"bearerFormat":{"type":"string"},"in":{"enum":["header","query","cookie"]},"name":{"type":"string","$ref":"#/$defs/headerName"},"flows":{"type":"object"},"openIdConnectUrl":{"type":"string"},"oauth2MetadataUrl":{"type":"string"}},"allOf":[{"if":{"required":["type"],"properties":{"type":{"const":"http"}}},"then":{"title":"Security Scheme Object","required":["scheme"]}},{"if":{"required":["type"],"properties":{"type":{"const":"apiKey"}}},"then":{"title":"Security Scheme Object","required":["in","name"]}},{"if":{"required":["type"],"properties":{"type":{"const":"oauth2"}}},"then":{"title":"Security Scheme Object","required":["flows"]}},{"if":{"required":["type"],"properties":{"type":{"const":"openIdConnect"}}},"then":{"title":"Security Scheme Object","required":["openIdConnectUrl"]}}]}};

function validate125(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate125.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = true;
const _errs1 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.$ref === undefined) || (!(func0.call(data, "$ref")))) && (missing0 = "$ref")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs1 === errors;
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs2 = errors;
if(!(validate7.call(this, data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate7.errors : vErrors.concat(validate7.errors);
errors = vErrors.length;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.$ref !== undefined && func0.call(data, "$ref")){
this.references.push({ $ref: data.$ref, kind: "securitySchemes", pointer: instancePath+"/$ref" });
}
}
var _valid0 = _errs2 === errors;
valid0 = _valid0;
if(valid0){
var props0 = true;
}
ifClause0 = "then";
}
else {
const _errs4 = errors;
const _errs7 = errors;
let valid3 = true;
const _errs8 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing1;
if(((data.type === undefined) || (!(func0.call(data, "type")))) && (missing1 = "type")){
const err1 = {};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
else {
if(data.type !== undefined && func0.call(data, "type")){
if("http" !== data.type){
const err2 = {};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
}
var _valid1 = _errs8 === errors;
errors = _errs7;
if(vErrors !== null){
if(_errs7){
vErrors.length = _errs7;
}
else {
vErrors = null;
}
}
if(_valid1){
const _errs10 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.scheme === undefined) || (!(func0.call(data, "scheme")))){
const err3 = {instancePath,schemaPath:"#/else/allOf/0/then/required",keyword:"required",params:{missingProperty: "scheme"},schema:schema34.else.allOf[0].then.required,parentSchema:schema34.else.allOf[0].then,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
var _valid1 = _errs10 === errors;
valid3 = _valid1;
}
if(!valid3){
const err4 = {instancePath,schemaPath:"#/else/allOf/0/if",keyword:"if",params:{failingKeyword: "then"},schema:schema34.else.allOf[0].if,parentSchema:schema34.else.allOf[0],data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
const _errs12 = errors;
let valid5 = true;
const _errs13 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing2;
if(((data.type === undefined) || (!(func0.call(data, "type")))) && (missing2 = "type")){
const err5 = {};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
else {
if(data.type !== undefined && func0.call(data, "type")){
if("apiKey" !== data.type){
const err6 = {};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
}
var _valid2 = _errs13 === errors;
errors = _errs12;
if(vErrors !== null){
if(_errs12){
vErrors.length = _errs12;
}
else {
vErrors = null;
}
}
if(_valid2){
const _errs15 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.in === undefined) || (!(func0.call(data, "in")))){
const err7 = {instancePath,schemaPath:"#/else/allOf/1/then/required",keyword:"required",params:{missingProperty: "in"},schema:schema34.else.allOf[1].then.required,parentSchema:schema34.else.allOf[1].then,data};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if((data.name === undefined) || (!(func0.call(data, "name")))){
const err8 = {instancePath,schemaPath:"#/else/allOf/1/then/required",keyword:"required",params:{missingProperty: "name"},schema:schema34.else.allOf[1].then.required,parentSchema:schema34.else.allOf[1].then,data};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
var _valid2 = _errs15 === errors;
valid5 = _valid2;
}
if(!valid5){
const err9 = {instancePath,schemaPath:"#/else/allOf/1/if",keyword:"if",params:{failingKeyword: "then"},schema:schema34.else.allOf[1].if,parentSchema:schema34.else.allOf[1],data};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
const _errs17 = errors;
let valid7 = true;
const _errs18 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing3;
if(((data.type === undefined) || (!(func0.call(data, "type")))) && (missing3 = "type")){
const err10 = {};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
else {
if(data.type !== undefined && func0.call(data, "type")){
if("oauth2" !== data.type){
const err11 = {};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
}
var _valid3 = _errs18 === errors;
errors = _errs17;
if(vErrors !== null){
if(_errs17){
vErrors.length = _errs17;
}
else {
vErrors = null;
}
}
if(_valid3){
const _errs20 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.flows === undefined) || (!(func0.call(data, "flows")))){
const err12 = {instancePath,schemaPath:"#/else/allOf/2/then/required",keyword:"required",params:{missingProperty: "flows"},schema:schema34.else.allOf[2].then.required,parentSchema:schema34.else.allOf[2].then,data};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
var _valid3 = _errs20 === errors;
valid7 = _valid3;
}
if(!valid7){
const err13 = {instancePath,schemaPath:"#/else/allOf/2/if",keyword:"if",params:{failingKeyword: "then"},schema:schema34.else.allOf[2].if,parentSchema:schema34.else.allOf[2],data};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
const _errs22 = errors;
let valid9 = true;
const _errs23 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing4;
if(((data.type === undefined) || (!(func0.call(data, "type")))) && (missing4 = "type")){
const err14 = {};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
else {
if(data.type !== undefined && func0.call(data, "type")){
if("openIdConnect" !== data.type){
const err15 = {};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
}
var _valid4 = _errs23 === errors;
errors = _errs22;
if(vErrors !== null){
if(_errs22){
vErrors.length = _errs22;
}
else {
vErrors = null;
}
}
if(_valid4){
const _errs25 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.openIdConnectUrl === undefined) || (!(func0.call(data, "openIdConnectUrl")))){
const err16 = {instancePath,schemaPath:"#/else/allOf/3/then/required",keyword:"required",params:{missingProperty: "openIdConnectUrl"},schema:schema34.else.allOf[3].then.required,parentSchema:schema34.else.allOf[3].then,data};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
var _valid4 = _errs25 === errors;
valid9 = _valid4;
}
if(!valid9){
const err17 = {instancePath,schemaPath:"#/else/allOf/3/if",keyword:"if",params:{failingKeyword: "then"},schema:schema34.else.allOf[3].if,parentSchema:schema34.else.allOf[3],data};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.type === undefined) || (!(func0.call(data, "type")))){
const err18 = {instancePath,schemaPath:"#/else/required",keyword:"required",params:{missingProperty: "type"},schema:schema34.else.required,parentSchema:schema34.else,data};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!(func0.call(schema34.else.properties, key0))){
const err19 = {instancePath,schemaPath:"#/else/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema34.else,data};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.type !== undefined && func0.call(data, "type")){
let data5 = data.type;
if(!(((((data5 === "http") || (data5 === "apiKey")) || (data5 === "oauth2")) || (data5 === "openIdConnect")) || (data5 === "mutualTLS"))){
const err20 = {instancePath:instancePath+"/type",schemaPath:"#/else/properties/type/enum",keyword:"enum",params:{allowedValues: schema34.else.properties.type.enum},schema:schema34.else.properties.type.enum,parentSchema:schema34.else.properties.type,data:data5};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
let data6 = data.description;
if(typeof data6 !== "string"){
const err21 = {instancePath:instancePath+"/description",schemaPath:"#/else/properties/description/type",keyword:"type",params:{type: "string"},schema:schema34.else.properties.description.type,parentSchema:schema34.else.properties.description,data:data6};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.deprecated !== undefined && func0.call(data, "deprecated")){
let data7 = data.deprecated;
if(typeof data7 !== "boolean"){
const err22 = {instancePath:instancePath+"/deprecated",schemaPath:"#/else/properties/deprecated/type",keyword:"type",params:{type: "boolean"},schema:schema34.else.properties.deprecated.type,parentSchema:schema34.else.properties.deprecated,data:data7};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.scheme !== undefined && func0.call(data, "scheme")){
let data8 = data.scheme;
if(typeof data8 === "string"){
if(!pattern5.test(data8)){
const err23 = {instancePath:instancePath+"/scheme",schemaPath:"#/else/properties/scheme/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"},schema:"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",parentSchema:schema34.else.properties.scheme,data:data8};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/scheme",schemaPath:"#/else/properties/scheme/type",keyword:"type",params:{type: "string"},schema:schema34.else.properties.scheme.type,parentSchema:schema34.else.properties.scheme,data:data8};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data.bearerFormat !== undefined && func0.call(data, "bearerFormat")){
let data9 = data.bearerFormat;
if(typeof data9 !== "string"){
const err25 = {instancePath:instancePath+"/bearerFormat",schemaPath:"#/else/properties/bearerFormat/type",keyword:"type",params:{type: "string"},schema:schema34.else.properties.bearerFormat.type,parentSchema:schema34.else.properties.bearerFormat,data:data9};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.in !== undefined && func0.call(data, "in")){
let data10 = data.in;
if(!(((data10 === "header") || (data10 === "query")) || (data10 === "cookie"))){
const err26 = {instancePath:instancePath+"/in",schemaPath:"#/else/properties/in/enum",keyword:"enum",params:{allowedValues: schema34.else.properties.in.enum},schema:schema34.else.properties.in.enum,parentSchema:schema34.else.properties.in,data:data10};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data.name !== undefined && func0.call(data, "name")){
let data11 = data.name;
if(typeof data11 !== "string"){
const err27 = {instancePath:instancePath+"/name",schemaPath:"#/else/properties/name/type",keyword:"type",params:{type: "string"},schema:schema34.else.properties.name.type,parentSchema:schema34.else.properties.name,data:data11};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(!(validate9.call(this, data11, {instancePath:instancePath+"/name",parentData:data,parentDataProperty:"name",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate9.errors : vErrors.concat(validate9.errors);
errors = vErrors.length;
}
}
if(data.flows !== undefined && func0.call(data, "flows")){
let data12 = data.flows;
if(!(data12 && typeof data12 == "object" && !Array.isArray(data12))){
const err28 = {instancePath:instancePath+"/flows",schemaPath:"#/else/properties/flows/type",keyword:"type",params:{type: "object"},schema:schema34.else.properties.flows.type,parentSchema:schema34.else.properties.flows,data:data12};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data.openIdConnectUrl !== undefined && func0.call(data, "openIdConnectUrl")){
let data13 = data.openIdConnectUrl;
if(typeof data13 !== "string"){
const err29 = {instancePath:instancePath+"/openIdConnectUrl",schemaPath:"#/else/properties/openIdConnectUrl/type",keyword:"type",params:{type: "string"},schema:schema34.else.properties.openIdConnectUrl.type,parentSchema:schema34.else.properties.openIdConnectUrl,data:data13};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data.oauth2MetadataUrl !== undefined && func0.call(data, "oauth2MetadataUrl")){
let data14 = data.oauth2MetadataUrl;
if(typeof data14 !== "string"){
const err30 = {instancePath:instancePath+"/oauth2MetadataUrl",schemaPath:"#/else/properties/oauth2MetadataUrl/type",keyword:"type",params:{type: "string"},schema:schema34.else.properties.oauth2MetadataUrl.type,parentSchema:schema34.else.properties.oauth2MetadataUrl,data:data14};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
else {
const err31 = {instancePath,schemaPath:"#/else/type",keyword:"type",params:{type: "object"},schema:schema34.else.type,parentSchema:schema34.else,data};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
if(valid0){
if(props0 !== true){
props0 = true;
}
}
ifClause0 = "else";
}
if(!valid0){
const err32 = {instancePath,schemaPath:"#/if",keyword:"if",params:{failingKeyword: ifClause0},schema:schema34.if,parentSchema:schema34,data};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
this.kinds.set(instancePath, "securitySchemes");
validate125.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate125.evaluated = {"dynamicProps":true,"dynamicItems":false};


function validate112(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate112.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!(func0.call(schema32.properties, key0))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema32,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.schemas !== undefined && func0.call(data, "schemas")){
let data0 = data.schemas;
if(!(validate113.call(this, data0, {instancePath:instancePath+"/schemas",parentData:data,parentDataProperty:"schemas",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
errors = vErrors.length;
}
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key1 of Object.keys(data0)){
if(!(validate11.call(this, data0[key1], {instancePath:instancePath+"/schemas/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data0,parentDataProperty:key1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate11.errors : vErrors.concat(validate11.errors);
errors = vErrors.length;
}
}
}
}
if(data.parameters !== undefined && func0.call(data, "parameters")){
let data2 = data.parameters;
if(!(validate113.call(this, data2, {instancePath:instancePath+"/parameters",parentData:data,parentDataProperty:"parameters",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
errors = vErrors.length;
}
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
for(const key2 of Object.keys(data2)){
if(!(validate6.call(this, data2[key2], {instancePath:instancePath+"/parameters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data2,parentDataProperty:key2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate6.errors : vErrors.concat(validate6.errors);
errors = vErrors.length;
}
}
}
}
if(data.requestBodies !== undefined && func0.call(data, "requestBodies")){
let data4 = data.requestBodies;
if(!(validate113.call(this, data4, {instancePath:instancePath+"/requestBodies",parentData:data,parentDataProperty:"requestBodies",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
errors = vErrors.length;
}
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
for(const key3 of Object.keys(data4)){
if(!(validate69.call(this, data4[key3], {instancePath:instancePath+"/requestBodies/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data4,parentDataProperty:key3,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate69.errors : vErrors.concat(validate69.errors);
errors = vErrors.length;
}
}
}
}
if(data.responses !== undefined && func0.call(data, "responses")){
let data6 = data.responses;
if(!(validate113.call(this, data6, {instancePath:instancePath+"/responses",parentData:data,parentDataProperty:"responses",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
errors = vErrors.length;
}
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
for(const key4 of Object.keys(data6)){
if(!(validate76.call(this, data6[key4], {instancePath:instancePath+"/responses/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data6,parentDataProperty:key4,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate76.errors : vErrors.concat(validate76.errors);
errors = vErrors.length;
}
}
}
}
if(data.headers !== undefined && func0.call(data, "headers")){
let data8 = data.headers;
if(!(validate113.call(this, data8, {instancePath:instancePath+"/headers",parentData:data,parentDataProperty:"headers",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
errors = vErrors.length;
}
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
for(const key5 of Object.keys(data8)){
if(!(validate53.call(this, data8[key5], {instancePath:instancePath+"/headers/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data8,parentDataProperty:key5,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
}
}
}
if(data.securitySchemes !== undefined && func0.call(data, "securitySchemes")){
let data10 = data.securitySchemes;
if(!(validate113.call(this, data10, {instancePath:instancePath+"/securitySchemes",parentData:data,parentDataProperty:"securitySchemes",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
errors = vErrors.length;
}
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
for(const key6 of Object.keys(data10)){
if(!(validate125.call(this, data10[key6], {instancePath:instancePath+"/securitySchemes/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data10,parentDataProperty:key6,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate125.errors : vErrors.concat(validate125.errors);
errors = vErrors.length;
}
}
}
}
if(data.examples !== undefined && func0.call(data, "examples")){
let data12 = data.examples;
if(!(validate113.call(this, data12, {instancePath:instancePath+"/examples",parentData:data,parentDataProperty:"examples",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
errors = vErrors.length;
}
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
for(const key7 of Object.keys(data12)){
if(!(validate48.call(this, data12[key7], {instancePath:instancePath+"/examples/" + key7.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data12,parentDataProperty:key7,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate48.errors : vErrors.concat(validate48.errors);
errors = vErrors.length;
}
}
}
}
if(data.pathItems !== undefined && func0.call(data, "pathItems")){
let data14 = data.pathItems;
if(!(validate113.call(this, data14, {instancePath:instancePath+"/pathItems",parentData:data,parentDataProperty:"pathItems",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
errors = vErrors.length;
}
if(data14 && typeof data14 == "object" && !Array.isArray(data14)){
for(const key8 of Object.keys(data14)){
if(!(validate5.call(this, data14[key8], {instancePath:instancePath+"/pathItems/" + key8.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data14,parentDataProperty:key8,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate5.errors : vErrors.concat(validate5.errors);
errors = vErrors.length;
}
}
}
}
if(data.links !== undefined && func0.call(data, "links")){
let data16 = data.links;
if(!(validate113.call(this, data16, {instancePath:instancePath+"/links",parentData:data,parentDataProperty:"links",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
errors = vErrors.length;
}
if(data16 && typeof data16 == "object" && !Array.isArray(data16)){
for(const key9 of Object.keys(data16)){
if(!(validate79.call(this, data16[key9], {instancePath:instancePath+"/links/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data16,parentDataProperty:key9,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate79.errors : vErrors.concat(validate79.errors);
errors = vErrors.length;
}
this.kinds.set(instancePath+"/links/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"), "links");
}
}
}
if(data.callbacks !== undefined && func0.call(data, "callbacks")){
let data18 = data.callbacks;
if(!(validate113.call(this, data18, {instancePath:instancePath+"/callbacks",parentData:data,parentDataProperty:"callbacks",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
errors = vErrors.length;
}
if(data18 && typeof data18 == "object" && !Array.isArray(data18)){
for(const key10 of Object.keys(data18)){
if(!(validate87.call(this, data18[key10], {instancePath:instancePath+"/callbacks/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data18,parentDataProperty:key10,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate87.errors : vErrors.concat(validate87.errors);
errors = vErrors.length;
}
}
}
}
if(data.mediaTypes !== undefined && func0.call(data, "mediaTypes")){
let data20 = data.mediaTypes;
if(!(validate113.call(this, data20, {instancePath:instancePath+"/mediaTypes",parentData:data,parentDataProperty:"mediaTypes",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate113.errors : vErrors.concat(validate113.errors);
errors = vErrors.length;
}
if(data20 && typeof data20 == "object" && !Array.isArray(data20)){
for(const key11 of Object.keys(data20)){
if(!(validate43.call(this, data20[key11], {instancePath:instancePath+"/mediaTypes/" + key11.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data20,parentDataProperty:key11,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate43.errors : vErrors.concat(validate43.errors);
errors = vErrors.length;
}
}
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},schema:schema32.type,parentSchema:schema32,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate112.errors = vErrors;
return errors === 0;
}
validate112.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate1(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate1.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs1 = errors;
let valid0 = true;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.components !== undefined && func0.call(data, "components")){
var valid1 = false;
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
var valid1 = true;
}
if(valid1){
if(data.webhooks !== undefined && func0.call(data, "webhooks")){
var valid1 = false;
const err1 = {};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
else {
var valid1 = true;
}
}
}
var _valid0 = _errs2 === errors;
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.paths === undefined) || (!(func0.call(data, "paths")))){
const err2 = {instancePath,schemaPath:"#/then/required",keyword:"required",params:{missingProperty: "paths"},schema:schema1.then.required,parentSchema:schema1.then,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
var _valid0 = _errs3 === errors;
valid0 = _valid0;
}
if(!valid0){
const err3 = {instancePath,schemaPath:"#/if",keyword:"if",params:{failingKeyword: "then"},schema:schema1.if,parentSchema:schema1,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.openapi === undefined) || (!(func0.call(data, "openapi")))){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "openapi"},schema:schema1.required,parentSchema:schema1,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if((data.info === undefined) || (!(func0.call(data, "info")))){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "info"},schema:schema1.required,parentSchema:schema1,data};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!(func0.call(schema1.properties, key0))){
const err6 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},schema:false,parentSchema:schema1,data};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.openapi !== undefined && func0.call(data, "openapi")){
let data2 = data.openapi;
if(typeof data2 === "string"){
if(!pattern0.test(data2)){
const err7 = {instancePath:instancePath+"/openapi",schemaPath:"#/properties/openapi/pattern",keyword:"pattern",params:{pattern: "^3\\.[012]\\.\\d+$"},schema:"^3\\.[012]\\.\\d+$",parentSchema:schema1.properties.openapi,data:data2};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/openapi",schemaPath:"#/properties/openapi/type",keyword:"type",params:{type: "string"},schema:schema1.properties.openapi.type,parentSchema:schema1.properties.openapi,data:data2};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.$self !== undefined && func0.call(data, "$self")){
let data3 = data.$self;
if(typeof data3 !== "string"){
const err9 = {instancePath:instancePath+"/$self",schemaPath:"#/properties/%24self/type",keyword:"type",params:{type: "string"},schema:schema1.properties.$self.type,parentSchema:schema1.properties.$self,data:data3};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.jsonSchemaDialect !== undefined && func0.call(data, "jsonSchemaDialect")){
let data4 = data.jsonSchemaDialect;
if(typeof data4 === "string"){
if(!pattern1.test(data4)){
const err10 = {instancePath:instancePath+"/jsonSchemaDialect",schemaPath:"#/properties/jsonSchemaDialect/pattern",keyword:"pattern",params:{pattern: "^https://(spec\\.openapis\\.org/oas/3\\.[12]/dialect/.+|json-schema\\.org/draft/2020-12/schema#?)$"},schema:"^https://(spec\\.openapis\\.org/oas/3\\.[12]/dialect/.+|json-schema\\.org/draft/2020-12/schema#?)$",parentSchema:schema1.properties.jsonSchemaDialect,data:data4};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/jsonSchemaDialect",schemaPath:"#/properties/jsonSchemaDialect/type",keyword:"type",params:{type: "string"},schema:schema1.properties.jsonSchemaDialect.type,parentSchema:schema1.properties.jsonSchemaDialect,data:data4};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.info !== undefined && func0.call(data, "info")){
if(!(validate2.call(this, data.info, {instancePath:instancePath+"/info",parentData:data,parentDataProperty:"info",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate2.errors : vErrors.concat(validate2.errors);
errors = vErrors.length;
}
}
if(data.paths !== undefined && func0.call(data, "paths")){
if(!(validate4.call(this, data.paths, {instancePath:instancePath+"/paths",parentData:data,parentDataProperty:"paths",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate4.errors : vErrors.concat(validate4.errors);
errors = vErrors.length;
}
}
if(data.servers !== undefined && func0.call(data, "servers")){
let data7 = data.servers;
if(Array.isArray(data7)){
const len0 = data7.length;
for(let i0=0; i0<len0; i0++){
if(!(validate62.call(this, data7[i0], {instancePath:instancePath+"/servers/" + i0,parentData:data7,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
}
}
else {
const err12 = {instancePath:instancePath+"/servers",schemaPath:"#/properties/servers/type",keyword:"type",params:{type: "array"},schema:schema1.properties.servers.type,parentSchema:schema1.properties.servers,data:data7};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.tags !== undefined && func0.call(data, "tags")){
let data9 = data.tags;
if(Array.isArray(data9)){
const len1 = data9.length;
for(let i1=0; i1<len1; i1++){
if(!(validate106.call(this, data9[i1], {instancePath:instancePath+"/tags/" + i1,parentData:data9,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate106.errors : vErrors.concat(validate106.errors);
errors = vErrors.length;
}
}
}
else {
const err13 = {instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/type",keyword:"type",params:{type: "array"},schema:schema1.properties.tags.type,parentSchema:schema1.properties.tags,data:data9};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.externalDocs !== undefined && func0.call(data, "externalDocs")){
if(!(validate14.call(this, data.externalDocs, {instancePath:instancePath+"/externalDocs",parentData:data,parentDataProperty:"externalDocs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate14.errors : vErrors.concat(validate14.errors);
errors = vErrors.length;
}
}
if(data.webhooks !== undefined && func0.call(data, "webhooks")){
let data12 = data.webhooks;
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
for(const key1 of Object.keys(data12)){
if(!(validate5.call(this, data12[key1], {instancePath:instancePath+"/webhooks/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data12,parentDataProperty:key1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate5.errors : vErrors.concat(validate5.errors);
errors = vErrors.length;
}
}
}
else {
const err14 = {instancePath:instancePath+"/webhooks",schemaPath:"#/properties/webhooks/type",keyword:"type",params:{type: "object"},schema:schema1.properties.webhooks.type,parentSchema:schema1.properties.webhooks,data:data12};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.security !== undefined && func0.call(data, "security")){
if(!(validate84.call(this, data.security, {instancePath:instancePath+"/security",parentData:data,parentDataProperty:"security",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors);
errors = vErrors.length;
}
}
if(data.components !== undefined && func0.call(data, "components")){
if(!(validate112.call(this, data.components, {instancePath:instancePath+"/components",parentData:data,parentDataProperty:"components",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate112.errors : vErrors.concat(validate112.errors);
errors = vErrors.length;
}
}
}
else {
const err15 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},schema:schema1.type,parentSchema:schema1,data};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
validate1.errors = vErrors;
return errors === 0;
}
validate1.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate0(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate0.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(validate1.call(this, data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate1.errors : vErrors.concat(validate1.errors);
errors = vErrors.length;
}
validate0.errors = vErrors;
return errors === 0;
}
validate0.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
