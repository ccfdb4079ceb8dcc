// Written by scripts/generate.ts from openapi.yaml; do not edit.
export default (require) => {
const exports = {}
"use strict";
exports["#/components/schemas/Limit"] = validate0;
const schema0 = {"numeric":"{\"type\":\"integer\",\"minimum\":1,\"maximum\":100}"};
const func0 = require("numbers").createNumericCheck("{\"type\":\"integer\",\"minimum\":1,\"maximum\":100}");

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
const violation0 = func0(data);
if(violation0){
const err0 = {instancePath,schemaPath:"#/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":\"integer\",\"minimum\":1,\"maximum\":100}",parentSchema:schema0,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate0.errors = vErrors;
return errors === 0;
}
validate0.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["#/components/schemas/PetStatus"] = validate1;
const schema1 = {"type":"string","description":"Availability.","enum":["available","pending","sold"]};

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
if(typeof data !== "string"){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema1.type,parentSchema:schema1,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(!(((data === "available") || (data === "pending")) || (data === "sold"))){
const err1 = {instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema1.enum},message:"must be equal to one of the allowed values",schema:schema1.enum,parentSchema:schema1,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate1.errors = vErrors;
return errors === 0;
}
validate1.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["#/components/schemas/Cursor"] = validate2;
const schema2 = {"type":"string","minLength":1,"maxLength":64};
const func1 = require("ajv/dist/runtime/ucs2length").default;

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
if(typeof data === "string"){
if(func1(data) > 64){
const err0 = {instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 64},message:"must NOT have more than 64 characters",schema:64,parentSchema:schema2,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(func1(data) < 1){
const err1 = {instancePath,schemaPath:"#/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema2,data};
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
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema2.type,parentSchema:schema2,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate2.errors = vErrors;
return errors === 0;
}
validate2.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"string\"}"] = validate3;
const schema3 = {"type":"string"};

function validate3(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate3.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema3.type,parentSchema:schema3,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate3.errors = vErrors;
return errors === 0;
}
validate3.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["#/components/schemas/Pets"] = validate4;
const schema4 = {"type":"array","description":"Animals, in ascending order of id.","items":{"$ref":"openapi#/components/schemas/Pet"}};
const schema5 = {"type":"object","description":"An animal of the catalogue.","required":["id","name","categoryId","status"],"additionalProperties":false,"properties":{"id":{"$ref":"openapi#/components/schemas/PetId"},"name":{"$ref":"openapi#/components/schemas/PetName"},"categoryId":{"$ref":"openapi#/components/schemas/CategoryId"},"status":{"$ref":"openapi#/components/schemas/PetStatus"}}};
const schema6 = {"description":"Unique identifier, assigned by the service on creation; ascending and never reused.","numeric":"{\"type\":\"integer\",\"format\":\"int64\",\"minimum\":1}"};
const schema7 = {"type":"string","description":"The animal's name. Any text without control characters (and without halves of surrogate pairs).","minLength":1,"maxLength":255,"pattern":"^[^\\p{Cc}\\p{Cs}]*$"};
const schema8 = {"description":"Id of the category the animal belongs to. The service does not store categories, so it accepts any id.","numeric":"{\"type\":\"integer\",\"format\":\"int64\"}"};
const func3 = Object.prototype.hasOwnProperty;
const func8 = require("numbers").createNumericCheck("{\"type\":\"integer\",\"format\":\"int64\",\"minimum\":1}");
const func13 = require("numbers").createNumericCheck("{\"type\":\"integer\",\"format\":\"int64\"}");
const pattern0 = new RegExp("^[^\\p{Cc}\\p{Cs}]*$", "u");

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
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.id === undefined) || (!(func3.call(data, "id")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema5.required,parentSchema:schema5,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.name === undefined) || (!(func3.call(data, "name")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'",schema:schema5.required,parentSchema:schema5,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((data.categoryId === undefined) || (!(func3.call(data, "categoryId")))){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "categoryId"},message:"must have required property '"+"categoryId"+"'",schema:schema5.required,parentSchema:schema5,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if((data.status === undefined) || (!(func3.call(data, "status")))){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'",schema:schema5.required,parentSchema:schema5,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const _errs1 = errors;
for(const key0 of Object.keys(data)){
if(((((true) && (key0 !== "id")) && (key0 !== "name")) && (key0 !== "categoryId")) && (key0 !== "status")){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must be declared",schema:false,parentSchema:schema5,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
if(errors - _errs1 > 10){
break;
}
}
}
if(data.id !== undefined && func3.call(data, "id")){
let data0 = data.id;
const violation0 = func8(data0);
if(violation0){
const err5 = {instancePath:instancePath+"/id",schemaPath:"openapi#/components/schemas/PetId/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":\"integer\",\"format\":\"int64\",\"minimum\":1}",parentSchema:schema6,data:data0};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.name !== undefined && func3.call(data, "name")){
let data1 = data.name;
if(typeof data1 === "string"){
if(func1(data1) > 255){
const err6 = {instancePath:instancePath+"/name",schemaPath:"openapi#/components/schemas/PetName/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters",schema:255,parentSchema:schema7,data:data1};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(func1(data1) < 1){
const err7 = {instancePath:instancePath+"/name",schemaPath:"openapi#/components/schemas/PetName/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema7,data:data1};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!pattern0.test(data1)){
const err8 = {instancePath:instancePath+"/name",schemaPath:"openapi#/components/schemas/PetName/pattern",keyword:"pattern",params:{pattern: "^[^\\p{Cc}\\p{Cs}]*$"},message:"must match pattern \""+"^[^\\p{Cc}\\p{Cs}]*$"+"\"",schema:"^[^\\p{Cc}\\p{Cs}]*$",parentSchema:schema7,data:data1};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/name",schemaPath:"openapi#/components/schemas/PetName/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema7.type,parentSchema:schema7,data:data1};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.categoryId !== undefined && func3.call(data, "categoryId")){
let data2 = data.categoryId;
const violation1 = func13(data2);
if(violation1){
const err10 = {instancePath:instancePath+"/categoryId",schemaPath:"openapi#/components/schemas/CategoryId/numeric",keyword:"numeric",params:violation1,message:"must be a valid number",schema:"{\"type\":\"integer\",\"format\":\"int64\"}",parentSchema:schema8,data:data2};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.status !== undefined && func3.call(data, "status")){
let data3 = data.status;
if(typeof data3 !== "string"){
const err11 = {instancePath:instancePath+"/status",schemaPath:"openapi#/components/schemas/PetStatus/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema1.type,parentSchema:schema1,data:data3};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(!(((data3 === "available") || (data3 === "pending")) || (data3 === "sold"))){
const err12 = {instancePath:instancePath+"/status",schemaPath:"openapi#/components/schemas/PetStatus/enum",keyword:"enum",params:{allowedValues: schema1.enum},message:"must be equal to one of the allowed values",schema:schema1.enum,parentSchema:schema1,data:data3};
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
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema5.type,parentSchema:schema5,data};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate5.errors = vErrors;
return errors === 0;
}
validate5.evaluated = {"props":{"id":true,"name":true,"categoryId":true,"status":true},"dynamicProps":false,"dynamicItems":false};


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
if(Array.isArray(data)){
const _errs1 = errors;
for(let i0=0; i0<data.length; i0++){
if(!(validate5(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate5.errors : vErrors.concat(validate5.errors);
errors = vErrors.length;
}
if(errors - _errs1 > 10){
break;
}
}
}
else {
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema4.type,parentSchema:schema4,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate4.errors = vErrors;
return errors === 0;
}
validate4.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"string\",\"const\":\"private, no-cache\"}"] = validate7;
const schema10 = {"type":"string","const":"private, no-cache"};

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
if(typeof data !== "string"){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema10.type,parentSchema:schema10,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if("private, no-cache" !== data){
const err1 = {instancePath,schemaPath:"#/const",keyword:"const",params:{allowedValue: "private, no-cache"},message:"must be equal to constant",schema:"private, no-cache",parentSchema:schema10,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate7.errors = vErrors;
return errors === 0;
}
validate7.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"string\",\"const\":\"nosniff\"}"] = validate8;
const schema11 = {"type":"string","const":"nosniff"};

function validate8(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate8.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.type,parentSchema:schema11,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if("nosniff" !== data){
const err1 = {instancePath,schemaPath:"#/const",keyword:"const",params:{allowedValue: "nosniff"},message:"must be equal to constant",schema:"nosniff",parentSchema:schema11,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate8.errors = vErrors;
return errors === 0;
}
validate8.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"string\",\"pattern\":\"^@[0-9]+$\"}"] = validate9;
const schema12 = {"type":"string","pattern":"^@[0-9]+$"};
const pattern1 = new RegExp("^@[0-9]+$", "u");

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
if(!pattern1.test(data)){
const err0 = {instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^@[0-9]+$"},message:"must match pattern \""+"^@[0-9]+$"+"\"",schema:"^@[0-9]+$",parentSchema:schema12,data};
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
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.type,parentSchema:schema12,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate9.errors = vErrors;
return errors === 0;
}
validate9.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["#/components/schemas/Error"] = validate10;
const schema13 = {"type":"object","description":"The body of every response that is not a success.","required":["code","message","status"],"additionalProperties":false,"properties":{"code":{"$ref":"openapi#/components/schemas/ErrorCode"},"message":{"type":"string","description":"What is wrong, for people. The wording may change."},"status":{"description":"The HTTP status code of the response.","numeric":"{\"type\":\"integer\",\"minimum\":400,\"maximum\":599}"}}};
const schema14 = {"type":"string","description":"What is wrong, for programs. These codes keep their meaning; new ones may be added.","pattern":"^[a-z]+(_[a-z]+)*$"};
const func21 = require("numbers").createNumericCheck("{\"type\":\"integer\",\"minimum\":400,\"maximum\":599}");
const pattern2 = new RegExp("^[a-z]+(_[a-z]+)*$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate10.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.code === undefined) || (!(func3.call(data, "code")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'",schema:schema13.required,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.message === undefined) || (!(func3.call(data, "message")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'",schema:schema13.required,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((data.status === undefined) || (!(func3.call(data, "status")))){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'",schema:schema13.required,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
const _errs1 = errors;
for(const key0 of Object.keys(data)){
if((((true) && (key0 !== "code")) && (key0 !== "message")) && (key0 !== "status")){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must be declared",schema:false,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
if(errors - _errs1 > 10){
break;
}
}
}
if(data.code !== undefined && func3.call(data, "code")){
let data0 = data.code;
if(typeof data0 === "string"){
if(!pattern2.test(data0)){
const err4 = {instancePath:instancePath+"/code",schemaPath:"openapi#/components/schemas/ErrorCode/pattern",keyword:"pattern",params:{pattern: "^[a-z]+(_[a-z]+)*$"},message:"must match pattern \""+"^[a-z]+(_[a-z]+)*$"+"\"",schema:"^[a-z]+(_[a-z]+)*$",parentSchema:schema14,data:data0};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/code",schemaPath:"openapi#/components/schemas/ErrorCode/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema14.type,parentSchema:schema14,data:data0};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.message !== undefined && func3.call(data, "message")){
let data1 = data.message;
if(typeof data1 !== "string"){
const err6 = {instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.message.type,parentSchema:schema13.properties.message,data:data1};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.status !== undefined && func3.call(data, "status")){
let data2 = data.status;
const violation0 = func21(data2);
if(violation0){
const err7 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":\"integer\",\"minimum\":400,\"maximum\":599}",parentSchema:schema13.properties.status,data:data2};
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
const err8 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.type,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}
validate10.evaluated = {"props":{"code":true,"message":true,"status":true},"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"string\",\"const\":\"no-store\"}"] = validate11;
const schema15 = {"type":"string","const":"no-store"};

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
if(typeof data !== "string"){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema15.type,parentSchema:schema15,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if("no-store" !== data){
const err1 = {instancePath,schemaPath:"#/const",keyword:"const",params:{allowedValue: "no-store"},message:"must be equal to constant",schema:"no-store",parentSchema:schema15,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate11.errors = vErrors;
return errors === 0;
}
validate11.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"integer\",\"minimum\":1}"] = validate12;
const schema16 = {"numeric":"{\"type\":\"integer\",\"minimum\":1}"};
const func22 = require("numbers").createNumericCheck("{\"type\":\"integer\",\"minimum\":1}");

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
const violation0 = func22(data);
if(violation0){
const err0 = {instancePath,schemaPath:"#/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":\"integer\",\"minimum\":1}",parentSchema:schema16,data};
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
validate12.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["#/components/schemas/IdempotencyKey"] = validate13;
const schema17 = {"type":"string","description":"1 to 255 characters: a string in double quotes (RFC 9651, section 3.3.3), such as\n`\"8e03978e-40d5-43e8-bc93-6894a57f9324\"`, or the same without quotes, if it has only letters, digits and the\ncharacters ``!#$%&*+-./:=@^_`|~``.\n","pattern":"^(?:\"(?:[ !#-\\[\\]-~]|\\\\[\"\\\\]){1,255}\"|[0-9A-Za-z!#$%&*+\\-./:=@^_`|~]{1,255})$"};
const pattern3 = new RegExp("^(?:\"(?:[ !#-\\[\\]-~]|\\\\[\"\\\\]){1,255}\"|[0-9A-Za-z!#$%&*+\\-./:=@^_`|~]{1,255})$", "u");

function validate13(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate13.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!pattern3.test(data)){
const err0 = {instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^(?:\"(?:[ !#-\\[\\]-~]|\\\\[\"\\\\]){1,255}\"|[0-9A-Za-z!#$%&*+\\-./:=@^_`|~]{1,255})$"},message:"must match pattern \""+"^(?:\"(?:[ !#-\\[\\]-~]|\\\\[\"\\\\]){1,255}\"|[0-9A-Za-z!#$%&*+\\-./:=@^_`|~]{1,255})$"+"\"",schema:"^(?:\"(?:[ !#-\\[\\]-~]|\\\\[\"\\\\]){1,255}\"|[0-9A-Za-z!#$%&*+\\-./:=@^_`|~]{1,255})$",parentSchema:schema17,data};
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
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema17.type,parentSchema:schema17,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate13.errors = vErrors;
return errors === 0;
}
validate13.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["#/components/schemas/NewPet"] = validate14;
const schema18 = {"type":"object","description":"An animal to add.","required":["name","categoryId"],"additionalProperties":false,"properties":{"name":{"$ref":"openapi#/components/schemas/PetName"},"categoryId":{"$ref":"openapi#/components/schemas/CategoryId"},"status":{"$ref":"openapi#/components/schemas/PetStatus"}}};

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
if((data.name === undefined) || (!(func3.call(data, "name")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'",schema:schema18.required,parentSchema:schema18,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.categoryId === undefined) || (!(func3.call(data, "categoryId")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "categoryId"},message:"must have required property '"+"categoryId"+"'",schema:schema18.required,parentSchema:schema18,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
const _errs1 = errors;
for(const key0 of Object.keys(data)){
if((((true) && (key0 !== "name")) && (key0 !== "categoryId")) && (key0 !== "status")){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must be declared",schema:false,parentSchema:schema18,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
if(errors - _errs1 > 10){
break;
}
}
}
if(data.name !== undefined && func3.call(data, "name")){
let data0 = data.name;
if(typeof data0 === "string"){
if(func1(data0) > 255){
const err3 = {instancePath:instancePath+"/name",schemaPath:"openapi#/components/schemas/PetName/maxLength",keyword:"maxLength",params:{limit: 255},message:"must NOT have more than 255 characters",schema:255,parentSchema:schema7,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(func1(data0) < 1){
const err4 = {instancePath:instancePath+"/name",schemaPath:"openapi#/components/schemas/PetName/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema7,data:data0};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!pattern0.test(data0)){
const err5 = {instancePath:instancePath+"/name",schemaPath:"openapi#/components/schemas/PetName/pattern",keyword:"pattern",params:{pattern: "^[^\\p{Cc}\\p{Cs}]*$"},message:"must match pattern \""+"^[^\\p{Cc}\\p{Cs}]*$"+"\"",schema:"^[^\\p{Cc}\\p{Cs}]*$",parentSchema:schema7,data:data0};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/name",schemaPath:"openapi#/components/schemas/PetName/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema7.type,parentSchema:schema7,data:data0};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.categoryId !== undefined && func3.call(data, "categoryId")){
let data1 = data.categoryId;
const violation0 = func13(data1);
if(violation0){
const err7 = {instancePath:instancePath+"/categoryId",schemaPath:"openapi#/components/schemas/CategoryId/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":\"integer\",\"format\":\"int64\"}",parentSchema:schema8,data:data1};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.status !== undefined && func3.call(data, "status")){
let data2 = data.status;
if(typeof data2 !== "string"){
const err8 = {instancePath:instancePath+"/status",schemaPath:"openapi#/components/schemas/PetStatus/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema1.type,parentSchema:schema1,data:data2};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!(((data2 === "available") || (data2 === "pending")) || (data2 === "sold"))){
const err9 = {instancePath:instancePath+"/status",schemaPath:"openapi#/components/schemas/PetStatus/enum",keyword:"enum",params:{allowedValues: schema1.enum},message:"must be equal to one of the allowed values",schema:schema1.enum,parentSchema:schema1,data:data2};
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
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema18.type,parentSchema:schema18,data};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate14.errors = vErrors;
return errors === 0;
}
validate14.evaluated = {"props":{"name":true,"categoryId":true,"status":true},"dynamicProps":false,"dynamicItems":false};

exports["#/components/schemas/Pet"] = validate5;

exports["{\"type\":\"boolean\"}"] = validate15;
const schema22 = {"type":"boolean"};

function validate15(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate15.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema22.type,parentSchema:schema22,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate15.errors = vErrors;
return errors === 0;
}
validate15.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["#/components/schemas/Int64"] = validate16;
const schema23 = {"description":"Any integer of 64 bits.","numeric":"{\"type\":\"integer\",\"format\":\"int64\"}"};

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
const violation0 = func13(data);
if(violation0){
const err0 = {instancePath,schemaPath:"#/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":\"integer\",\"format\":\"int64\"}",parentSchema:schema23,data};
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

return exports
}
